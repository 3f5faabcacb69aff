import { expect, test } from 'bun:test'
import { NO_TEXTS } from '../../../src/shared/contact-fields.ts'
import { localDate } from '../../../src/clock.ts'
import { commonValues, personalValues } from '../../../src/newsletter/campaigns/merge-values.ts'

const NEW_YEAR = Date.UTC(2026, 0, 1, 2, 0, 0)

test('A date is written in the language and the time zone of the project.', () => {
  expect(localDate(NEW_YEAR, 'en', 'UTC')).toBe('January 1, 2026')
  expect(localDate(NEW_YEAR, 'de', 'Europe/Berlin')).toBe('1. Januar 2026')
  expect(localDate(NEW_YEAR, 'en', 'America/New_York')).toBe('December 31, 2025')
})

test('An unknown locale or time zone gives the day in UTC.', () => {
  expect(localDate(NEW_YEAR, 'not a locale', 'UTC')).toBe('2026-01-01')
  expect(localDate(NEW_YEAR, 'en', 'Porthaven')).toBe('2026-01-01')
})

test('The common values hold the name of the project and the date.', () => {
  const sender = { project: { name: 'Harbour' }, settings: { locale: 'en', timezone: 'UTC' } }
  const date = (timezone: string | null) => commonValues({ ...sender, timezone }, NEW_YEAR)
  expect(date(null)).toEqual({ 'project.name': 'Harbour', date: 'January 1, 2026' })
  expect(date('America/New_York').date).toBe('December 31, 2025')
})

test('The personal values hold names, address and custom fields as text.', () => {
  const contact = { ...NO_TEXTS, id: 1, email: 'ada@example.com', first_name: 'Ada', last_name: '', custom_fields: {} }
  expect(personalValues({ ...contact, custom_fields: { city: 'Kiel', visits: 3, member: true } })).toMatchObject({
    'contact.email': 'ada@example.com',
    'contact.first_name': 'Ada',
    'contact.last_name': '',
    'contact.full_name': 'Ada',
    'contact.custom.city': 'Kiel',
    'contact.custom.visits': '3',
    'contact.custom.member': 'true',
  })
})
