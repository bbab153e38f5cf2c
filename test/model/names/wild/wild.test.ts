import { open } from './open.ts';
import { asksRatherThanGuesses } from './runner.ts';

asksRatherThanGuesses('the open half', open);
