import { expect, test } from 'bun:test'
import { settingWords } from '../../../static/app/operator/setting-labels.ts'

test('The value of a setting is told in the units of people.', () => {
  const told = (name: string, value: string | number | boolean | null) => settingWords(name, value)
  expect(told('session_ttl_hours', 336)).toBe('14 days')
  expect(told('session_ttl_hours', 5)).toBe('5 hours')
  expect(told('access_token_ttl_seconds', 3600)).toBe('1 hour')
  expect(told('relay_silence_seconds', 90)).toBe('90 seconds')
  expect(told('facts_days', 1)).toBe('1 day')
  expect(told('min_free_disk_megabytes', 25)).toBe('25 MB')
  expect(told('logins_per_minute', 1200)).toBe('1,200 a minute')
  expect(told('contacts_per_project', 5_000_000)).toBe('5,000,000 in a project')
  expect(told('projects_per_user', 20)).toBe('20 for a person')
  expect(told('sandbox', true)).toBe('On')
  expect([told('port', 8787), told('host', '127.0.0.1'), told('metrics_token', null)]).toEqual([null, null, null])
})
