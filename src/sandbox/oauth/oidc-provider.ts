// The order matters: console is tamed before oidc-provider is loaded. Everybody else imports it from here.
import './console.ts';

export { errors, Provider } from 'oidc-provider';
