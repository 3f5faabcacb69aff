import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { users } from '../../src/store/tables/accounts.ts'
import { hashPassword } from '../../src/secrets.ts'
import { hasBrowser, openBrowser } from '../sites/browser.ts'
import { manyContacts, SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { type FastSink, startFastSink, unevenDelays } from '../support/fast-sink.ts'
import { scratchFolder } from '../support/folder.ts'
import { callOk, type LoneProject, makeLoneProject, UNLIMITED, withDatabase } from '../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { PASSWORD } from '../support/world.ts'

/** A page while the service is killed and comes back. */

const PEOPLE = 60
/** The message that gets no answer before the service is killed, so that somebody is in doubt. */
const UNANSWERED = PEOPLE / 4
const folder = scratchFolder()
let browser: Browser
let context: BrowserContext
let sink: FastSink
let service: ServiceProcess
let project: LoneProject

const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, project.key, operation, body)
const address = (path: string) => `${service.url}/portal/projects/harbour${path}`

/** Kills the service and starts it again at the same address; `meanwhile` is what happens while nothing answers. */
async function killed(meanwhile: () => Promise<void>): Promise<void> {
  const { port } = new URL(service.url)
  await service.kill()
  await meanwhile()
  service = await startServiceProcess(folder, { ...UNLIMITED, MASTHEAD_PORT: port })
}

beforeAll(async () => {
  const delay_ms = unevenDelays()
  sink = startFastSink(() => (sink.recipients.length === UNANSWERED ? Infinity : delay_ms()))
  project = await makeLoneProject(folder)
  const password_hash = await hashPassword(PASSWORD)
  await withDatabase(folder, (store) => store.write((tx) => tx.update(users).set({ password_hash })))
  service = await startServiceProcess(folder, UNLIMITED)
  browser = await openBrowser()
  context = await browser.newContext()
  const data = { email: 'ada@example.com', password: PASSWORD }
  await context.request.post(`${service.url}/user/login`, { data, headers: { Origin: service.url } })
})
afterAll(async () => {
  await browser.close()
  await service.kill()
  sink.close()
})

test.if(hasBrowser)(
  'A campaign whose service is killed goes on before the eyes of its author, and tells who is in doubt.',
  async () => {
    const { connection } = await call('connections/create', {
      name: 'Relay',
      provider: 'smtp',
      host: sink.host,
      port: sink.port,
      secure: 'none',
      max_connections: 5,
    })
    await call('connections/test', { connection_id: connection.id })
    await call('settings/update', {
      default_connection_id: connection.id,
      from_email: 'news@harbour.example',
      postal_address: 'Quay 4, 5003 Bergen',
    })
    const { list } = await call('lists/create', { name: 'Tides' })
    await withDatabase(folder, (store) => manyContacts(store, project.project_id, list.id, PEOPLE, Date.now()))
    const { campaign } = await call('campaigns/create', {
      subject: 'Tides',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list.id }] },
    })
    await call('campaigns/send', { campaign_id: campaign.id })
    const page = await context.newPage()
    await page.goto(address(`/campaigns/${campaign.id}`))
    await sink.waitFor(UNANSWERED)
    await killed(() => page.getByText('Masthead does not answer.').waitFor())

    const doubt = page.getByText(/^\d+ (?:person|people) may or may not have it\.$/)
    await doubt.waitFor()
    await page.getByRole('region', { name: 'Progress' }).waitFor({ state: 'detached' })
    const uncertain = Number.parseInt((await doubt.textContent())!, 10)
    await page.locator('.tile', { hasText: `Reached${PEOPLE - uncertain}of ${PEOPLE}` }).waitFor()
    expect(new Set(sink.recipients).size).toBe(sink.recipients.length)
    await page.getByRole('link', { name: 'See them' }).click()
    await page
      .locator('tbody tr')
      .nth(uncertain - 1)
      .waitFor()
    expect(await page.locator('tbody tr').getByText('Not certain').count()).toBe(uncertain)
  },
)
