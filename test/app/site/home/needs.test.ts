import { expect, test } from 'bun:test'
import { useTab } from '../../../support/tab.ts'
import {
  ofApps,
  ofCampaigns,
  ofConnections,
  ofDoubt,
  ofImports,
  ofInvitations,
} from '../../../../static/app/site/home/needs.ts'

useTab()

const AT = '2026-05-03T12:00:00.000Z'
const NOW = Date.parse(AT)
const DAY = 86_400_000
const campaign = (more: object) =>
  ofCampaigns([
    { id: 7, name: 'May', status: 'sent', failure: null, updated_at: AT, finished_at: null, ...more },
  ] as never)
const imported = (more: object, now = NOW) =>
  ofImports(
    [{ id: 3, filename: 'a.csv', status: 'completed', counters: { failed: 0 }, updated_at: AT, ...more }] as never,
    now,
  )
const said = (needs: { what: string; path: string }[]) => needs.map(({ what, path }) => [what, path])

test('Campaigns that are paused or failed wait for somebody, with the reason where there is one.', () => {
  expect(said(campaign({ status: 'paused' }))).toEqual([['“May” is paused.', '/campaigns/7']])
  expect(said(campaign({ status: 'paused', name: '', subject: 'High water' }))).toEqual([
    ['“High water” is paused.', '/campaigns/7'],
  ])
  expect(said(campaign({ status: 'paused', failure: { reason: 'bounces' } }))).toEqual([
    ['“May” is paused: bounces', '/campaigns/7'],
  ])
  expect(said(campaign({ status: 'failed', failure: { reason: 'no sender' } }))).toEqual([
    ['“May” could not begin: no sender', '/campaigns/7/review'],
  ])
  expect(campaign({ status: 'sending' })).toEqual([])
})

test('People who may not have a campaign wait since it ended.', () => {
  const doubt = { id: 7, name: 'May', uncertain: 1, finished_at: '2026-05-04T12:00:00.000Z' }
  expect(ofDoubt([doubt] as never)).toEqual([
    {
      key: 'uncertain 7',
      what: '1 person may or may not have “May”.',
      since: '2026-05-04T12:00:00.000Z',
      verb: 'See them',
      path: '/campaigns/7?tab=people&status=uncertain',
    },
  ])
})

test('A connection waits with its error, and with the records that its domain lacks.', () => {
  const connection = { id: 2, name: 'Relay', last_error: '535 no', dns: null, verified_at: AT, updated_at: AT }
  expect(said(ofConnections([connection] as never))).toEqual([['Relay: 535 no', '/sending/2']])
  expect(ofConnections([{ ...connection, last_error: null }] as never)).toEqual([])
  const checks = ['spf', 'dkim', 'dmarc'].map((name) => ({ name, ok: name === 'dkim' }))
  const lacking = { ...connection, last_error: null, dns: { domain: 'a.example', checked_at: AT, checks } }
  expect(said(ofConnections([lacking] as never))).toEqual([
    ['a.example lacks SPF, DMARC in its DNS: mail through Relay may be refused.', '/sending/2#dns'],
  ])
  expect(ofConnections([{ ...lacking, verified_at: null }] as never)).toEqual([])
})

test('An import waits for a week, when it failed or left rows out.', () => {
  expect(imported({})).toEqual([])
  expect(said(imported({ counters: { failed: 2 } }))).toEqual([
    ['2 rows of a.csv could not be imported.', '/imports/3'],
  ])
  expect(said(imported({ counters: { failed: 1 } }))).toEqual([['1 row of a.csv could not be imported.', '/imports/3']])
  expect(said(imported({ status: 'failed', filename: '' }))).toEqual([['The import of a file failed.', '/imports/3']])
  expect(imported({ status: 'failed' }, NOW + 7 * DAY)).toHaveLength(1)
  expect(imported({ status: 'failed' }, NOW + 7 * DAY + 1)).toEqual([])
  expect(imported({ status: 'importing', counters: { failed: 2 } })).toEqual([])
})

test('Apps that ask for more, and invitations, wait without a time.', () => {
  const apps = [
    { id: 'a', displayName: 'Tides', asks_for: ['contacts:read', 'x'] },
    { id: 'b', displayName: 'Other', asks_for: [] },
    { id: 'c', displayName: 'Waves', asks_for: ['x'] },
  ]
  expect(ofApps(apps as never).map(({ key, what, since }) => [key, what, since])).toEqual([
    ['app a', 'Tides asks for more: contacts:read · x.', null],
    ['app c', 'Waves asks for more: x.', null],
  ])
  const invitations = [{ id: 'i', name: 'Harbour', place: 'editor of', inviter: 'Ada' }]
  expect(said(ofInvitations(invitations as never))).toEqual([['Ada invites you to be editor of Harbour.', '/portal/']])
})
