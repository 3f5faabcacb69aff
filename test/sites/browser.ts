import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { DOMAIN } from '../http/site-world.ts'

const CHROMIUM = '/usr/bin/chromium'
/** The same engine without the parts of a desktop: a new context takes a third of the CPU time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/** Whether Debian's Chromium is there; CI installs both. */
export const hasBrowser = existsSync(CHROMIUM)

/** The browser of all test files of a process. It ends with the process. */
let shared: Promise<Browser> | undefined

/**
 * A headless browser that makes no network requests of its own and finds `DOMAIN` on this machine. Starting one takes
 * a second of CPU time, so test files share a process: `close` ends the contexts of its caller only.
 */
export async function openBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launch()
  return withOwnContexts(await shared!)
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page of a test lives for seconds: to optimize its code takes longer than the code runs.
      '--js-flags=--no-opt --no-maglev',
      `--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`,
    ],
  })
}

function withOwnContexts(browser: Browser): Browser {
  const contexts = new Set<BrowserContext>()
  const own: Pick<Browser, 'newContext' | 'newPage' | 'close'> = {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.add(context)
      context.on('close', () => contexts.delete(context))
      return context
    },
    async newPage(options) {
      return (await own.newContext(options)).newPage()
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
  return new Proxy(browser, {
    get(target, name, receiver): unknown {
      return Reflect.get(name in own ? own : target, name, receiver)
    },
  })
}
