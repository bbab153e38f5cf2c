import { Agent, request } from 'undici';
import { median, timed } from './measure.mjs';
import { startRawClient } from './raw-client.mjs';

const warmUp = 300;
const rounds = 1_500;

/** get_entity through the server against the same GET made directly, one after the other. */
export async function measureCall(baseUrl, home, showId) {
  const client = startRawClient({ ARTWORK_HOME: home, ARTWORK_BASE_URL: baseUrl });
  await client.initialize();
  const dispatcher = new Agent({ pipelining: 1, connections: 1 });
  const direct = async () => {
    const { body } = await request(`${baseUrl}/shows/${showId}`, { dispatcher });
    return await body.json();
  };
  const call = () => client.call('get_entity', { kind: 'show', id: showId });
  const samples = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const callFirst = round % 2 === 0;
    let callMs = callFirst ? await timed(call) : 0;
    const directMs = await timed(direct);
    if (!callFirst) callMs = await timed(call);
    if (round >= 0) samples.push({ callMs, directMs });
  }
  await client.end();
  await dispatcher.close();
  return {
    rounds,
    callMs: median(samples.map((sample) => sample.callMs)),
    directMs: median(samples.map((sample) => sample.directMs)),
    overheadMs: median(samples.map((sample) => sample.callMs - sample.directMs)),
  };
}
