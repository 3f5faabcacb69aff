import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian has it; CI installs it. */
const CHROMIUM = '/usr/bin/chromium'

export const hasBrowser = existsSync(CHROMIUM)

/** A headless browser that makes no network requests of its own. */
export function openBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  })
}
