import { heldBack } from '../model/names/wild/held-back.ts';
import { asksRatherThanGuesses } from '../model/names/wild/runner.ts';

asksRatherThanGuesses('the half that was held back', heldBack);
