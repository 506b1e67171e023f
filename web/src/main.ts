import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import { createAct, readLogin } from './act/act';
import { Client } from './api/client';
import { listen } from './api/events';
import { Store } from './state/store.svelte';
import Page from './views/Page.svelte';

const store = new Store();
const act = createAct(
  new Client(),
  () => store.state,
  store.dispatch,
  {
    now: () => performance.now(),
    later: (work, ms) => window.setTimeout(work, ms),
    address(hash, how) {
      if (how === 'push') history.pushState(null, '', hash);
      else history.replaceState(null, '', hash);
    },
  },
  listen,
);
mount(Page, { target: document.getElementById('app')!, props: { store, act } });

// The code is for this one exchange; it does not stay in the address or in the history.
const login = readLogin(location.hash);
if (login !== null) history.replaceState(null, '', location.pathname);
window.addEventListener('pagehide', () => act.leave());
window.addEventListener('hashchange', () => act.moved(location.hash));
void act.start(location.hash, login);
