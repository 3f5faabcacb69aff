/**
 * Draws the pictures of the template gallery with Chromium: small ones for static/gallery, which the service hands
 * out, and large ones (phone and desktop, light and dark) for docs/gallery, to be looked at. Run it after a change
 * to a design or to how mail is drawn: `bun bin/gallery-thumbnails.ts [--only NAME] [--out FOLDER]`.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { designSlug, GALLERY } from '../src/newsletter/email/gallery.ts'
import { drawDesign } from '../test/support/gallery.ts'

const root = join(import.meta.dir, '..')
const { values: options } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string', default: root } } })
const THUMBNAIL = { width: 680, height: 765, scale: 0.5 }

const folder = mkdtempSync(join(tmpdir(), 'masthead-gallery-'))
const browser = await openBrowser(folder)
for (const path of ['static/gallery', 'docs/gallery']) mkdirSync(join(options.out, path), { recursive: true })
let bytes = 0
for (const design of GALLERY.filter(({ id }) => !options.only || id === `builtin:${options.only}`)) {
  const slug = designSlug(design)
  const page = join(folder, `${slug}.html`)
  writeFileSync(page, drawDesign(design).html)
  await take(`static/gallery/${slug}.png`, { page, ...THUMBNAIL, dark: false })
  for (const width of [320, 680]) {
    for (const dark of [false, true])
      await take(`docs/gallery/${slug}-${width}-${dark ? 'dark' : 'light'}.png`, {
        page,
        width,
        height: null,
        scale: 0.6,
        dark,
      })
  }
}
console.log(`${Math.round(bytes / 1000)} kB`)
browser.close()
rmSync(folder, { recursive: true, force: true })

async function take(path: string, shot: Shot): Promise<void> {
  const file = join(options.out, path)
  writeFileSync(file, await browser.shoot(shot))
  const { size } = statSync(file)
  bytes += size
  console.log(`${path}: ${Math.round(size / 1000)} kB`)
}

interface Shot {
  page: string
  width: number
  /** The whole page when null. */
  height: number | null
  scale: number
  dark: boolean
}

/** Chromium by its DevTools protocol: only that can make it as narrow as a phone, and dark. */
async function openBrowser(folder: string) {
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--hide-scrollbars',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  const child = Bun.spawn(
    ['chromium', ...flags, `--user-data-dir=${join(folder, 'profile')}`, '--remote-debugging-port=0', 'about:blank'],
    { stdout: 'ignore', stderr: 'pipe' },
  )
  const origin = await debuggerOrigin(child.stderr)
  const targets = (await (await fetch(`${origin}/json/list`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const target = targets.find(({ type }) => type === 'page')
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject }))
  const waiting = new Map<number | string, (result: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, method, result, params } = JSON.parse(String(data)) as {
      id?: number
      method?: string
      result?: Record<string, unknown>
      params?: Record<string, unknown>
    }
    waiting.get(id ?? method ?? '')?.(result ?? params ?? {})
  })
  let count = 0
  const heard = (what: number | string) => new Promise<Record<string, unknown>>((resolve) => waiting.set(what, resolve))
  const ask = (method: string, params: Record<string, unknown> = {}) => {
    const answer = heard(++count)
    socket.send(JSON.stringify({ id: count, method, params }))
    return answer
  }
  await ask('Page.enable')
  return {
    async shoot({ page, width, height, scale, dark }: Shot): Promise<Uint8Array> {
      await ask('Emulation.setDeviceMetricsOverride', {
        width,
        height: height ?? 800,
        deviceScaleFactor: 1,
        mobile: width < 500,
      })
      await ask('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
      })
      const loaded = heard('Page.loadEventFired')
      await ask('Page.navigate', { url: `file://${page}` })
      await loaded
      const { cssContentSize } = (await ask('Page.getLayoutMetrics')) as { cssContentSize: { height: number } }
      const clip = { x: 0, y: 0, width, height: height ?? cssContentSize.height, scale }
      const { data } = await ask('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip })
      return Buffer.from(data as string, 'base64')
    },
    close() {
      socket.close()
      child.kill()
    },
  }
}

async function debuggerOrigin(output: ReadableStream<Uint8Array>): Promise<string> {
  let said = ''
  for await (const chunk of output) {
    said += new TextDecoder().decode(chunk)
    const [, host] = /DevTools listening on ws:\/\/([^/]+)/.exec(said) ?? []
    if (host) return `http://${host}`
  }
  throw new Error(`Chromium did not start: ${said}`)
}
