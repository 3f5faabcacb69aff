import { expect, test } from 'bun:test'
import { hasUtm, withUtm } from '../../../src/newsletter/tracking/utm.ts'

const TAGS = { utm_source: 'news', utm_medium: 'e mail', utm_campaign: 'a&b' }
const ALL = 'utm_source=news&utm_medium=e%20mail&utm_campaign=a%26b'

test('The tags follow the parameters of a link and come before its fragment.', () => {
  expect(withUtm('https://a.example/', TAGS)).toBe(`https://a.example/?${ALL}`)
  expect(withUtm('https://a.example/?x=1#top', TAGS)).toBe(`https://a.example/?x=1&${ALL}#top`)
  expect(withUtm('https://a.example/?', TAGS)).toBe(`https://a.example/?${ALL}`)
  expect(withUtm('https://a.example/?x&', TAGS)).toBe(`https://a.example/?x&${ALL}`)
  expect(withUtm('https://a.example/#a?b', TAGS)).toBe(`https://a.example/?${ALL}#a?b`)
})

test('Parameters that the link has stay, and empty tags are left out.', () => {
  expect(withUtm('https://a.example/?utm_source=x&utm_medium=', TAGS)).toBe(
    'https://a.example/?utm_source=x&utm_medium=&utm_campaign=a%26b',
  )
  expect(withUtm('https://a.example/utm_source=x', { ...TAGS, utm_medium: '', utm_campaign: '' })).toBe(
    'https://a.example/utm_source=x?utm_source=news',
  )
  const empty = { utm_source: '', utm_medium: '', utm_campaign: '' }
  expect(withUtm('https://a.example/?#x', empty)).toBe('https://a.example/?#x')
  expect([hasUtm(empty), hasUtm({ ...empty, utm_campaign: 'x' })]).toEqual([false, true])
})

test('The characters of a merge tag are no part of the address.', () => {
  const tag = '{{ contact.custom.x | default: "?a#b" }}'
  expect(withUtm(`https://a.example/${tag}`, TAGS)).toBe(`https://a.example/${tag}?${ALL}`)
  expect(withUtm(`https://a.example/?x=${tag}#y`, TAGS)).toBe(`https://a.example/?x=${tag}&${ALL}#y`)
})
