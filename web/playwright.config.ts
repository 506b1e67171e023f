import { defineConfig } from '@playwright/test';

// The browser is the system's: `cargo xtask test` finds or installs it and says where it is.
const chromium = process.env['KIBITZ_CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'node_modules/.playwright',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // Generous, because the engine shares the machine with everything else; nothing is timed here.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    // A trace records every step of every test, also of those that pass: ask for it to find a fault.
    trace: process.env['KIBITZ_TRACE'] === undefined ? 'off' : 'retain-on-failure',
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: chromium,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
