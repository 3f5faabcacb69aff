import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import { scratchFolder } from '../support/folder.ts'
import { callOk, type LoneProject, makeLoneProject } from '../support/lone-project.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { selfSigned, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'

/** The whole flow through a relay that requires encryption and a login, with a certificate that the operator trusts. */

const folder = scratchFolder()
const login = { user: 'harbour', password: 'a password for the relay' }
const sinks: Record<'starttls' | 'tls', SmtpSink> = {} as never
let project: LoneProject
let service: ServiceProcess

const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, project.key, operation, body)

beforeAll(async () => {
  const certificate = selfSigned('localhost', '127.0.0.1')
  const trusted = join(folder, 'relay.pem')
  writeFileSync(trusted, certificate.cert)
  sinks.starttls = await startSmtpSink({ auth: login, tls: { mode: 'starttls', certificate } })
  sinks.tls = await startSmtpSink({ auth: login, tls: { mode: 'implicit', certificate } })
  project = await makeLoneProject(folder)
  service = await startServiceProcess(folder, { NODE_EXTRA_CA_CERTS: trusted })
})

afterAll(async () => {
  await service?.kill()
  for (const sink of Object.values(sinks)) await sink.close()
})

test.each(['starttls', 'tls'] as const)('A campaign is sent over %s with a login.', async (secure) => {
  const { connection } = await call('connections/create', {
    name: secure,
    provider: 'smtp',
    host: '127.0.0.1',
    port: sinks[secure].port,
    secure,
    username: login.user,
    password: login.password,
  })
  expect((await call('connections/test', { connection_id: connection.id })).ok).toBe(true)
  await call('settings/update', {
    from_name: 'Harbour',
    from_email: 'news@harbour.example',
    company_name: 'Harbour Ltd',
    postal_address: '1 Quay Street',
    default_connection_id: connection.id,
  })
  const { list } = await call('lists/create', { name: `Over ${secure}` })
  await call('contacts/upsert', { email: 'ada@example.com', list_ids: [list.id], consent_text: 'Yes' })
  const { campaign } = await call('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list.id }] },
  })
  expect((await call('campaigns/readiness', { campaign_id: campaign.id })).ready).toBe(true)
  await call('campaigns/send', { campaign_id: campaign.id })
  const [message] = await sinks[secure].waitFor(1)
  expect(message!.to).toEqual(['ada@example.com'])
})

test('connections/test reports a wrong password, and no message is lost by it.', async () => {
  const { connection } = await call('connections/create', {
    name: 'Wrong',
    provider: 'smtp',
    host: '127.0.0.1',
    port: sinks.tls.port,
    secure: 'tls',
    username: login.user,
    password: 'another',
  })
  const tested = await call('connections/test', { connection_id: connection.id })
  expect([tested.ok, tested.connection.verified_at]).toEqual([false, null])
})
