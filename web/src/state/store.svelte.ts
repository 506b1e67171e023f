// Holds the state of the window; the only thing that changes is which state it holds.

import type { Event } from './event';
import { reduce, START, type State } from './state';

export class Store {
  #state = $state.raw<State>(START);

  get state(): State {
    return this.#state;
  }

  dispatch = (event: Event): void => {
    this.#state = reduce(this.#state, event);
  };
}
