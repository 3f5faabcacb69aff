import { expect, test } from 'bun:test'
import type { ProjectId } from '../../src/ids.ts'
import type { Log } from '../../src/log.ts'
import type { ConnectedScript } from '../../src/scripts/connections.ts'
import { publishScript } from '../../src/scripts/published.ts'
import { insertionsFor, insertionsOf, waitingScripts } from '../../src/sites/insertions.ts'
import type { Reader } from '../../src/store/open.ts'
import { script_connections, script_settings, scripts } from '../../src/store/tables/scripts.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const script = (html: string, more: Partial<ConnectedScript> = {}): ConnectedScript => ({
  ...{
    connection_id: 1,
    script_id: 1,
    app_id: 'app',
    app_name: 'Counter',
    name: '',
    type: 'Analytics',
    placement: 'HTML Head',
  },
  ...{ html, gated: false, ...more },
})
const noFault = () => {
  throw new Error('A script failed.')
}

test('The kinds that are asked for are those of scripts that wait.', () => {
  const scripts = [
    script('a', { type: 'Essential' }),
    script('b', { type: 'Advertising', gated: true }),
    script('c', { type: 'Advertising', gated: true }),
    script('d'),
  ]
  expect(waitingScripts(scripts)).toEqual(new Map([['advertising', ['Counter']]]))
  expect(waitingScripts([])).toEqual(new Map())
})

test('Scripts stand at their places in the order of their connections, and those that wait do not run.', () => {
  const scripts = [
    script('<b>1</b>'),
    script('<b>2</b>', { placement: 'HTML Body end' }),
    script('<script>run()</script>', { gated: true }),
    script('<b>3</b>', { placement: 'HTML Body start' }),
    script('<b>4</b>'),
  ]
  const { head, body_start, body_end } = insertionsFor(scripts, noFault)
  expect([body_start, body_end]).toEqual(['<b>3</b>', '<b>2</b>'])
  expect(head).toStartWith('<b>1</b><')
  expect(head).toEndWith('<b>4</b>')
  expect(head).not.toContain('<script>run()')
})

test('A script that fails is told and left out, and the others stay.', () => {
  const failing = { ...script(''), gated: true, html: null as unknown as string }
  const told: ConnectedScript[] = []
  expect(insertionsFor([script('a'), failing, script('b')], (one) => told.push(one)).head).toBe('ab')
  expect(told).toEqual([failing])
})

const LOG = { warn: () => undefined, error: () => undefined, info: () => undefined } as unknown as Log

/** A project with a published script of an approved app, which is connected. */
async function connectedTo(project_id: ProjectId): Promise<void> {
  const app = await newApp(await newUser())
  const content = { name: 'Lamp', type: 'Analytics', placement: 'HTML Head', code: '<script>run()</script>' } as const
  await write(async (tx) => {
    const at = { created_at: NOW, updated_at: NOW }
    const draft = { ...content, app_id: app.id, parameters: {}, ...at }
    const [made] = await tx.insert(scripts).values(draft).returning({ id: scripts.id })
    await publishScript(tx, { ...content, script_id: made!.id, parameters: {}, parameter_formats: {} })
    await tx.insert(script_connections).values({ project_id, script_id: made!.id, ...at })
  })
}

test('The runtime of the consent stands before the scripts that wait, and nowhere else.', async () => {
  const [project, bare] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const of = (project_id: ProjectId, gpc = false) => insertionsOf(db, { project_id, gpc }, LOG)
  await connectedTo(project)
  expect(await of(project)).toEqual({
    insertions: { head: '<script>run()</script>', body_start: '', body_end: '' },
    asks_consent: false,
  })
  const settings = { project_id: project, consent_required: true, updated_at: NOW }
  await write((tx) => tx.insert(script_settings).values(settings))
  const { insertions, asks_consent } = await of(project)
  expect([asks_consent, insertions.body_start, insertions.body_end]).toEqual([true, '', ''])
  expect(insertions.head).toStartWith('<template data-banner="1" data-mode="1"')
  expect(insertions.head.indexOf('<section')).toBeLessThan(insertions.head.indexOf('type="text/plain"'))
  expect((await of(project, true)).insertions.head).toContain('data-gpc="1"')
  const nothing = { insertions: { head: '', body_start: '', body_end: '' }, asks_consent: false }
  expect(await of(bare)).toEqual(nothing)
  const broken = { all: () => Promise.reject(new Error('no disk')) } as unknown as Reader
  const told: string[] = []
  const log = { ...LOG, error: (message: string) => void told.push(message) } as Log
  expect(await insertionsOf(broken, { project_id: project, gpc: false }, log)).toEqual(nothing)
  expect(told).toEqual(['reading scripts failed; pages are served without them'])
})
