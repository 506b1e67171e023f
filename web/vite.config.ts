import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // The policy allows no inline anything: assets stay files, and no polyfill is injected.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // `npm run dev` beside `kibitz serve --port 8473`: the API is the real one.
    proxy: { '/api': { target: 'http://127.0.0.1:8473', changeOrigin: true } },
  },
  test: { include: ['src/**/*.test.ts'] },
});
