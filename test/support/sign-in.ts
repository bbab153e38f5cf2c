export * from '../../src/commands/demo/catalogue.ts';
