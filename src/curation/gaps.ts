export { joinRuns as joinRunsOfLabels } from '../model/target.ts';
