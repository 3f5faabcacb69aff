import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import { endQuestion } from '../../../static/app/confirm-identity.ts'
import HealthPage from '../../../static/app/operator/health.tsx'

const tab = useTab({ scope: '/portal/operator', project: null })
const AT = '2026-05-03T12:00:00.000Z'
const GB = 1024 ** 3
const HEALTH = {
  ...{ ready: true, reason: null, version: '1.2.3', uptime_seconds: 7_200 },
  outbox: { queued: 1_000, leased: 20, sending: 3, oldest_due_on: null },
  jobs: { queued: 4, running: 5, oldest_due_on: null },
  ...{ receipts: { stuck: 0 }, account_mail: { queued: 6, failed_in_last_day: 0 }, relays_held_back: [] },
  disk: { free_bytes: 10 * GB, total_bytes: 100 * GB, database_bytes: 2 * GB },
  ...{ backup: null, restore_rehearsal: null, workers: [{}], campaigns: { sending: 2, paused: 7 } },
  loops: [
    {
      name: 'outbox',
      host: 'h',
      pid: 1,
      failed_on: null,
      running: true,
      last_run_on: AT,
      took_ms: 1_500,
      lag_ms: null,
    },
    { name: 'jobs', host: 'h', pid: 1, failed_on: null, running: false, last_run_on: AT, took_ms: null, lag_ms: 20 },
    { name: 'mail', host: 'h', pid: 1, failed_on: AT, running: true, last_run_on: AT, took_ms: 1, lag_ms: 0 },
  ],
}
const MADE = '2026-05-03T03:12:00.000Z'
const BACKUPS = {
  state: {
    ...{ place: '/mnt/backup/', is_scheduled: true, schedule: '12 3 * * *', facts_copied_on: null },
    ...{ last_proven_on: null, warning: 'The last backup failed: the disk is full.' },
  },
  items: [
    { name: 'masthead-20260503T031200Z.db', made_on: MADE, size_bytes: 2_000_000, proven_on: MADE },
    { name: 'masthead-20260502T031200Z.db', made_on: AT, size_bytes: 1_000_000, proven_on: null },
  ],
}
async function open(more: object = {}) {
  tab.answers['GET /user/operator/health'] = { health: { ...HEALTH, ...more } }
  tab.answers['GET /user/operator/backups'] = BACKUPS
  await tab.open(HealthPage, '/health')
}
const toned = () =>
  tab.all('.tile').flatMap((tile) => {
    const tone = /tone-(\w+)/.exec(tile.getAttribute('class')!)?.[1]
    return tone ? [`${tile.querySelector('.tile-label')!.textContent} ${tone}`] : []
  })
const facts = () => tab.texts('.facts dd')

test('A service that works says so, with what waits and what runs.', async () => {
  await open()
  expect(tab.text('p')).toBe('Ready Version 1.2.3, up for 2 hr.')
  expect(tab.texts('.tile')).toEqual([
    ...['Messages waiting1,023Nothing is due', 'Jobs9Nothing is due', 'Stuck receipts0Calls that never ended'],
    ...['Own mail60 failed in a day', 'Free disk10%10 GB of 100 GB, database 2 GB'],
  ])
  expect(toned()).toEqual([])
  expect(facts()).toEqual(['Never', 'Never', 'By itself (12 3 * * *)', '/mnt/backup/'])
  expect(rowsOf(tab, 'Kept backups').map(([, size, proven]) => [size, proven])).toEqual([
    ['1.9 MB', 'Proven'],
    ['977 kB', 'Not proven'],
  ])
  expect(rowsOf(tab, 'Loops').map(([name, state, , took, late]) => [name, state, took, late])).toEqual([
    ['outbox', 'Running', '1,500 ms', ''],
    ['jobs', 'Waiting', '', '20 ms'],
    ['mail', 'Failed', '1 ms', '0 ms'],
  ])
  expect(tab.text()).toEndWith('1 process works on this database. 2 campaigns are sent, 7 paused.')
})

test('A part of the service that needs somebody stands out.', async () => {
  await open({
    ...{ ready: false, reason: 'The disk is full.', receipts: { stuck: 1 } },
    account_mail: { queued: 0, failed_in_last_day: 2 },
    disk: { free_bytes: 9 * GB, total_bytes: 100 * GB, database_bytes: null },
    relays_held_back: [{ connection_id: 1, project: 'Harbour', name: 'Relay', error: '421 later' }],
    outbox: { ...HEALTH.outbox, oldest_due_on: AT },
    jobs: { ...HEALTH.jobs, oldest_due_on: AT },
  })
  expect(tab.texts('.callout')).toEqual([
    'The service is not ready.The disk is full.',
    'Harbour: Relay is held back.421 later',
    'The last backup failed: the disk is full.',
  ])
  expect(toned()).toEqual(['Stuck receipts wait', 'Own mail bad', 'Free disk bad'])
  expect(
    tab
      .texts('.tile')
      .slice(0, 2)
      .map((text) => text.includes('Oldest due')),
  ).toEqual([true, true])
})

test('A backup is made, or why it was not is said.', async () => {
  tab.answers['POST /user/operator/backup'] = new Refusal(409, 'CONFLICT', undefined, 'One is under way.')
  await open()
  await tab.press('Back up now')
  expect(tab.text()).toContain('The backup was not made.One is under way.')
  tab.answers['POST /user/operator/backup'] = { backup: { size_bytes: 5, proven_on: AT } }
  await tab.press('Back up now')
  expect(tab.calls.filter(({ name }) => name === 'GET /user/operator/health')).toHaveLength(2)
  tab.answers['GET /user/operator/health'] = new Refusal(403, 'FORBIDDEN')
  await tab.open(HealthPage, '/health')
  expect(tab.text()).toContain('The state could not be loaded.')
})

test('A download asks the service whether its operator is confirmed, not the clock of the browser.', async () => {
  tab.answers['GET /user/security'] = { confirmed_until: AT, is_confirmed: true }
  await open()
  const newest = tab.names().find((name) => name.startsWith('Download'))
  await tab.press(newest!)
  expect(tab.left).toEqual([`/user/operator/backups/${BACKUPS.items[0]!.name}`])
  tab.answers['GET /user/security'] = { confirmed_until: '9999-01-01T00:00:00.000Z', is_confirmed: false }
  await tab.press(newest!)
  endQuestion('given_up')
  await tab.settled()
  expect(tab.left).toHaveLength(1)
  expect(tab.text()).toContain('The backup was not downloaded.Confirm that it is you.')
})
