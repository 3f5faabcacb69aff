import { expect, test } from 'bun:test'
import { bareTagWords, tagsOf } from '../../../static/app/letter/tag-choices.ts'

test('A line asks for the words of those who have no value, for each tag of a person but the address.', () => {
  const said = (name: string) => `Some people have no ${name}. Say what they read in its place.`
  expect(bareTagWords('Hi {{ contact.first_name }}')).toBe(said('first name'))
  expect(bareTagWords('{{ date }} {{ contact.first_name | default: you }} {{ contact.custom.town }}')).toBe(
    said('town'),
  )
  expect(bareTagWords('{{ contact.email }} {{ date }}')).toBeNull()
  expect(bareTagWords('Hi')).toBeNull()
})

test('Merge tags have the words of their example, and the own fields stand in the place of KEY.', () => {
  const merge_tags = [
    { tag: 'contact.first_name', description: 'Who.', example: 'Hi {{ contact.first_name | default: you }}' },
    { tag: 'contact.custom.KEY', description: 'Own.', example: '{{ contact.custom.town }}' },
    { tag: 'unsubscribe_url', description: 'Leave.', example: '{{ contact.first_name | default: you }}' },
    { tag: 'date', description: 'When.', example: 'none' },
  ]
  expect(tagsOf({ merge_tags } as never, [{ key: 'town', label: 'Town' }])).toEqual([
    { name: 'contact.first_name', fallback: 'you', label: 'first name', description: 'Who.' },
    { name: 'contact.custom.town', fallback: '', label: 'Town', description: 'A field of your own.' },
    { name: 'unsubscribe_url', fallback: '', label: 'unsubscribe link', description: 'Leave.' },
    { name: 'date', fallback: '', label: 'date', description: 'When.' },
  ])
  expect(tagsOf({ merge_tags: merge_tags.slice(1, 2) } as never, [])).toEqual([])
})
