export * from '../../src/commands/demo/sign-in.ts';
export * from '../../src/commands/demo/visitor.ts';
