import type { Mutation } from '../mutation.ts';
import { batch } from './batch-strategy.ts';
import { single } from './single-strategy.ts';
import type { Strategy } from './strategy.ts';

export function strategyOf({ declared }: Pick<Mutation, 'declared'>): Strategy {
  return declared === undefined ? single : batch;
}
