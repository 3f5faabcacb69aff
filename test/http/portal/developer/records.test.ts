import { expect, test } from 'bun:test'
import type { App } from '../../../../src/developer/apps.ts'
import { EMPTY_LISTING } from '../../../../src/developer/listing.ts'
import {
  appRecord,
  fullVersionRecord,
  Listing,
  reviewRecord,
  scriptRecord,
  secretRecord,
  teamMemberRecord,
  versionRecord,
  WebAddress,
} from '../../../../src/http/portal/developer/records.ts'
import { checker } from '../../../../src/schema.ts'

const APP: App = {
  id: 'app_1',
  client_id: 'cli_1',
  client_type: 'confidential',
  display_name: 'Lamp',
  description: 'Shines.',
  homepage: 'https://lamp.example',
  redirect_uris: ['https://lamp.example/back'],
  scopes: ['profile'],
  status: 'approved',
  require_pkce: true,
  require_par: false,
  user_id: 'usr_1',
  created_at: 1000,
  updated_at: 2000,
  draft: { display_name: 'Lantern', description: 'Glows.', homepage: '', redirect_uris: [] },
  draft_scopes: ['profile', 'newsletter:read'],
  icon_url: 'https://lamp.example/icon.png',
  draft_icon_url: 'https://lamp.example/new.png',
  scope_reasons: { profile: 'To greet you.' },
  suspended_at: null,
  suspension_comment: null,
}
const LISTED = ['displayName', 'description', 'homepage', 'redirect_uris', 'scopes', 'icon_url'] as const
const identityOf = (record: object | null) => record && LISTED.map((name) => (record as Record<string, unknown>)[name])

test('An app shows what its developer has written, and beside it what was approved.', () => {
  const record = appRecord(APP)
  const draft = ['Lantern', 'Glows.', '', [], ['profile', 'newsletter:read']]
  expect(identityOf(record)).toEqual([...draft, undefined])
  expect(identityOf(record.draft)).toEqual([...draft, 'https://lamp.example/new.png'])
  expect(identityOf(record.approved)).toEqual([
    'Lamp',
    'Shines.',
    'https://lamp.example',
    ['https://lamp.example/back'],
    ['profile'],
    'https://lamp.example/icon.png',
  ])
  expect(record).toMatchObject({ require_pkce: true, require_par: false, scope_reasons: APP.scope_reasons })
  expect([record.created_on, record.last_update]).toEqual(['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:02.000Z'])
  for (const status of ['development', 'in_review', 'rejected'] as const)
    expect(appRecord({ ...APP, status }).approved).toBeNull()
  expect(appRecord({ ...APP, icon_url: null }).approved?.icon_url).toBe('')
})

test('An app shows since when it is suspended and why.', () => {
  expect(appRecord(APP)).toMatchObject({ suspended_on: null, suspension_comment: null })
  const suspended = appRecord({ ...APP, suspended_at: 3000, suspension_comment: 'Spam.' })
  expect(suspended).toMatchObject({ suspended_on: '1970-01-01T00:00:03.000Z', suspension_comment: 'Spam.' })
})

test('One version is live, and the full one has its contents under the names of an app.', () => {
  const contents = {
    identity: { display_name: 'Lamp', description: 'Shines.', homepage: 'https://lamp.example', redirect_uris: [] },
    scripts: [],
    listing: EMPTY_LISTING,
    scopes: ['profile'],
    scope_reasons: {},
  }
  const about = { app_id: 'app_1', number: 2, status: 'approved' as const, notes: 'Brighter.', user_id: 'usr_1' }
  const version = { ...about, id: 7, contents, created_at: 1000 }
  expect([7, 8, null].map((live_id) => versionRecord(version, live_id).live)).toEqual([true, false, false])
  const { identity, ...others } = contents
  const { display_name, ...rest } = identity
  expect(fullVersionRecord(version, 7)).toEqual({
    ...versionRecord(version, 7),
    displayName: display_name,
    ...rest,
    ...others,
  })
  expect(versionRecord(version, 7)).toMatchObject({ notes: 'Brighter.', created_by: 'usr_1', number: 2 })
})

test('A review and a secret tell their times, or that there is none yet.', () => {
  const request = {
    id: 3,
    app_id: 'app_1',
    version_id: 7,
    status: 'pending' as const,
    comment: '',
    submitted_by: 'usr_1',
    decided_by: null,
    created_at: 1000,
    decided_at: null,
  }
  expect(reviewRecord(request)).toMatchObject({ created_on: '1970-01-01T00:00:01.000Z', decided_on: null })
  const decided = {
    ...request,
    status: 'rejected' as const,
    comment: 'Too dim.',
    decided_by: 'usr_2',
    decided_at: 2000,
  }
  expect(reviewRecord(decided)).toEqual({
    ...{ id: 3, app_id: 'app_1', version_id: 7, status: 'rejected', comment: 'Too dim.' },
    ...{ submitted_by: 'usr_1', decided_by: 'usr_2' },
    ...{ created_on: '1970-01-01T00:00:01.000Z', decided_on: '1970-01-01T00:00:02.000Z' },
  })
  const secret = { id: 'key_1', app_id: 'app_1', hint: 'abcd', created_at: 1000, last_used_at: 2000, revoked_at: null }
  expect(secretRecord(secret)).toEqual({
    ...{ id: 'key_1', hint: 'abcd', created_on: '1970-01-01T00:00:01.000Z' },
    ...{ last_used_on: '1970-01-01T00:00:02.000Z', revoked_at: null },
  })
})

test('A script and a person in a team tell their times, and the person both names.', () => {
  const script = { id: 7, name: 'Counter', code: '1', status: 'draft' }
  const times = { created_on: '1970-01-01T00:00:01.000Z', last_update: '1970-01-01T00:00:02.000Z' }
  const stored = { ...script, created_at: 1000, updated_at: 2000 } as unknown as Parameters<typeof scriptRecord>[0]
  expect<object>(scriptRecord(stored)).toEqual({ ...script, ...times })
  const person = { user_id: 'usr_1', email: 'ann@example.com', creator: true }
  expect(teamMemberRecord({ ...person, first_name: 'Ann', last_name: 'Pier', added_at: 1000 })).toEqual({
    ...person,
    ...{ firstName: 'Ann', lastName: 'Pier', added_on: '1970-01-01T00:00:01.000Z' },
  })
})

test('An address of a listing is empty or of the web.', () => {
  const takes = (text: string) => checker(WebAddress).Check(text)
  expect(['', 'https://lamp.example', 'HTTP://lamp.example/a?b#c'].filter(takes)).toHaveLength(3)
  for (const text of ['lamp.example', 'ftp://lamp.example', 'https://', 'javascript:alert(1)', 'https://a b'])
    expect([text, takes(text)]).toEqual([text, false])
  expect(takes(`https://lamp.example/${'x'.repeat(2000)}`)).toBe(false)
})

test('A listing has every field of an empty one, and no field without a limit.', () => {
  const listing = {
    ...{ tagline: 'Light.', description: 'It\nshines.', category: 'Home', screenshots: ['https://lamp.example/1.png'] },
    ...{ icon_url: 'https://lamp.example/i.png', support_url: '', privacy_url: 'https://lamp.example/privacy' },
  }
  const takes = (changed: object) => checker(Listing).Check({ ...listing, ...changed })
  expect([takes({}), takes(EMPTY_LISTING)]).toEqual([true, true])
  expect([takes({ tagline: 'x'.repeat(150) }), takes({ tagline: 'x'.repeat(151) })]).toEqual([true, false])
  expect([takes({ category: 'x'.repeat(100) }), takes({ category: 'x'.repeat(101) })]).toEqual([true, false])
  expect([10_000, 10_001].map((n) => takes({ description: 'x'.repeat(n) }))).toEqual([true, false])
  const pictures = (n: number) => ({ screenshots: Array.from({ length: n }, () => 'https://lamp.example/1.png') })
  expect([takes(pictures(10)), takes(pictures(11))]).toEqual([true, false])
  for (const name of ['icon_url', 'support_url', 'privacy_url']) expect(takes({ [name]: 'lamp' })).toBe(false)
})
