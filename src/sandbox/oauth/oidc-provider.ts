// Loaded when console is tamed: in a bundle an `import` of a file beside it would be evaluated before all else.
// Everybody else imports it from here.
import './console.ts';

export const { errors, Provider } = await import('oidc-provider');
