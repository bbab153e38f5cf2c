/**
 * Does `work` for each element, a few at a time and in their order. Where one fails none is begun any more, and
 * the first failure is told once those that were begun have ended: nothing goes on unseen.
 */
export async function mapLimit<Element, Result>(
  elements: readonly Element[],
  few: number,
  work: (element: Element, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const queue = elements.entries();
  let failed = false;
  const take = async (): Promise<void> => {
    for (const [index, element] of queue) {
      if (failed) return;
      try {
        results.set(index, await work(element, index));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const takers = Array.from({ length: Math.min(few, elements.length) }, take);
  const failure = (await Promise.allSettled(takers)).find((one) => one.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return [...results].sort(([one], [other]) => one - other).map(([, result]) => result);
}
