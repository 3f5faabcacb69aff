import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Service from '../../../static/app/operator/service.tsx'

const tab = useTab({ scope: '/portal/operator', project: null })
const SETTINGS = 'GET /user/operator/settings'
const TEST = 'POST /user/operator/mail/test'
const setting = (name: string, value: unknown, more: object = {}) => ({
  ...{ name, variable: name.toUpperCase(), help: 'What it is.', value, secret: false, is_set: true, source: 'default' },
  ...more,
})
const mail = (kind: string, more: object = {}) => ({ kind, host: null, port: 25, from: 'ada@example.com', ...more })
async function open(settings: object[] = [setting('port', 1)], service: object = {}) {
  const own = { version: '1.2.3', base_url: 'https://a.example', database: 'file', mail: mail('sandbox'), ...service }
  tab.answers[SETTINGS] = { settings, service: own }
  await tab.open(Service, '/service')
}
const facts = () => tab.texts('.facts dd').slice(-2)

test('Settings are shown as they are read, secrets only as set or not.', async () => {
  await open([
    setting('keep_hours', 48, { source: 'environment' }),
    setting('base_url', 'https://a.example', { source: 'flag' }),
    setting('empty', null, { source: 'file' }),
    setting('key', 's3cret', { secret: true }),
    setting('other_key', null, { secret: true, is_set: false }),
    setting('open', false),
  ])
  expect(rowsOf(tab, 'Settings').map(([, value, source]) => [value, source])).toEqual([
    ['2 days48', 'Environment'],
    ['https://a.example', 'Command line'],
    ['Not set', 'File'],
    ['Set, not shown', 'Built in'],
    ['Not set', 'Built in'],
    ['Offfalse', 'Built in'],
  ])
  expect(tab.text()).not.toContain('s3cret')
})

test('Where its data is and how its own mail leaves is told.', async () => {
  await open()
  expect(facts()).toEqual(['A file', 'Kept in the sandbox mailbox, from ada@example.com'])
  await open(undefined, { database: 'server', mail: mail('relay', { host: 'mx.example', from: '' }) })
  expect(facts()).toEqual(['A libSQL server', 'Through a relay mx.example:25, from nobody yet'])
})

test('The outcome of a message to the operator is told.', async () => {
  tab.answers[TEST] = { accepted: true, recipient: 'ada@example.com', error: null }
  await open()
  await tab.press('Send me a test')
  expect(tab.text('.callout')).toBe('A message to ada@example.com was taken.')
  tab.answers[TEST] = { accepted: false, recipient: 'ada@example.com', error: '535 no' }
  await tab.press('Send me a test')
  expect(tab.text('.callout')).toBe(
    'The message was not taken.The server refused the user name or the password. 535 no',
  )
  tab.answers[TEST] = new Refusal(409, 'CONFLICT', undefined, 'No mail is set up.')
  await tab.press('Send me a test')
  expect(tab.text()).toContain('No mail is set up.')
  tab.answers[SETTINGS] = new Refusal(403, 'FORBIDDEN')
  await tab.open(Service, '/service')
  expect(tab.text()).toContain('The settings could not be loaded.')
})
