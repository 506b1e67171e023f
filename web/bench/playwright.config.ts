import { defineConfig } from '@playwright/test';
import shared from '../playwright.config';

export default defineConfig(shared, {
  testDir: '.',
  testMatch: '*.bench.ts',
  outputDir: '../node_modules/.playwright-bench',
  fullyParallel: false,
  workers: 1,
  timeout: 0,
  use: { trace: 'off' },
});
