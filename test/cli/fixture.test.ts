import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { fixtureConfig } from '../../src/cli/fixture.ts'
import { SETTINGS } from '../../src/settings.ts'
import { scratchFolder } from '../support/folder.ts'

const folder = scratchFolder()

test('A fixture has limits that tests do not reach, its own database, and otherwise the defaults.', () => {
  const config = fixtureConfig({ flags: {}, file: undefined }, folder) as unknown as Record<string, unknown>
  const defaults = Object.entries(SETTINGS).map(([name, setting]) => [name, (setting as { default: unknown }).default])
  const changed = defaults.filter(([name, value]) => !Bun.deepEquals(config[String(name)], value))
  expect(Object.fromEntries(changed.map(([name]) => [name, config[String(name)]]))).toEqual({
    port: 0,
    data_dir: folder,
    sandbox: true,
    access_log: false,
    check_responses: true,
    platform_requests_per_minute: 100_000,
    projects_per_user: 100_000,
    invitations_per_day: 100_000,
    contacts_per_project: 100_000_000,
    form_entries_per_project: 1_000_000,
    files_per_project: 1_000_000,
    min_free_disk_megabytes: 0,
    disk_reserve_megabytes: 0,
    logins_per_minute: 100_000,
    sign_in_notices: false,
    oauth_requests_per_minute: 100_000,
    public_requests_per_minute: 100_000,
  })
  expect(readFileSync(join(folder, 'masthead.toml'), 'utf8')).toContain('port = 0')
})

test('Flags change the limits of a fixture, and not where it stores its data.', () => {
  const flags = { logins_per_minute: '3', role: 'web', sandbox: 'false' }
  expect(fixtureConfig({ flags, file: undefined }, folder)).toMatchObject({
    logins_per_minute: 3,
    role: 'all',
    sandbox: true,
    data_dir: folder,
    database_url: '',
  })
})

test('A fixture leaves the database alone that the environment names.', () => {
  const variables = { MASTHEAD_DATA_DIR: '/var/lib/masthead', MASTHEAD_DATABASE_URL: 'http://db.example' }
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
  Object.assign(process.env, variables)
  try {
    const config = fixtureConfig({ flags: {}, file: undefined }, folder)
    expect([config.data_dir, config.database_url]).toEqual([folder, ''])
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})
