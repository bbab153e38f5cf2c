import { z } from 'zod';
import { type Api, events, json, type SeenResult, textsIn } from './model.ts';

const inline = z.looseObject({ mimeType: z.string().optional() });
const part = z.looseObject({
  text: z.string().optional(),
  inlineData: inline.optional(),
  functionResponse: z
    .looseObject({
      id: z.string().optional(),
      response: z.unknown().optional(),
      parts: z.array(z.looseObject({ inlineData: inline.optional() })).optional(),
    })
    .optional(),
});
const body = z.looseObject({
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              description: z.string().default(''),
              parameters: z.unknown().optional(),
              parametersJsonSchema: z.unknown().optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  contents: z.array(z.looseObject({ role: z.string().optional(), parts: z.array(part).default([]) })),
});

/** Gemini's generateContent and streamGenerateContent. */
export const gemini: Api = {
  read(path, given) {
    if (!/:(stream)?[gG]enerateContent$/.test(path)) return null;
    const { tools, contents } = body.parse(given);
    const results: SeenResult[] = [];
    for (const { functionResponse: answered, inlineData } of contents.flatMap(({ parts }) => parts)) {
      const last = results.at(-1);
      if (answered !== undefined) {
        const callId = answered.id ?? `call_${results.length + 1}`;
        const text = textsIn(answered.response).join('\n');
        const images = (answered.parts ?? []).filter((one) => one.inlineData !== undefined).length;
        results.push({ callId, text, images, tools: [] });
      } else if (inlineData !== undefined && last !== undefined) {
        results[results.length - 1] = { ...last, images: last.images + 1 };
      }
    }
    return {
      api: 'Gemini',
      texts: textsIn(given),
      tools: tools
        .flatMap(({ functionDeclarations }) => functionDeclarations)
        .map(({ name, description, parameters, parametersJsonSchema }) => ({
          name,
          description,
          schema: parametersJsonSchema ?? parameters ?? null,
          heldBack: false,
        })),
      results,
      stream: path.endsWith(':streamGenerateContent'),
    };
  },
  write(reply, { stream }) {
    const answer =
      'callId' in reply
        ? { functionCall: { id: reply.callId, name: reply.name, args: reply.arguments } }
        : { text: reply.say };
    const whole = {
      candidates: [{ index: 0, content: { role: 'model', parts: [answer] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: 'fake',
    };
    return stream ? events([whole], false) : json(whole);
  },
};
