import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import Root from './views/Root.svelte';
import { App } from './state/app.svelte';

const app = new App();
mount(Root, { target: document.getElementById('app')!, props: { app } });

// The code is for this one exchange; it does not stay in the address or in the history.
const fragment = location.hash;
if (/^#(code|token)=/.test(fragment)) history.replaceState(null, '', location.pathname);
void app.start(fragment);
