import { expect, test } from 'bun:test'
import { useTab } from '../../support/tab.ts'
import { letterName, lineWords } from '../../../static/app/api/letter-name.ts'

useTab()

test('A line is shown as a sample person reads it.', () => {
  expect(lineWords('Hello {{ contact.first_name }}, of {{project.name}}')).toBe('Hello Ada, of Harbour')
  expect(lineWords('{{ contact.first_name | default: friend }}')).toBe('Ada')
  expect(lineWords('To {{ contact.custom.boat | default: "your boat" }}, {{ contact.custom.home_port }}')).toBe(
    'To your boat, [home port]',
  )
  expect(lineWords('No tags { here }')).toBe('No tags { here }')
})

test('A letter is called by its subject until it has a name.', () => {
  const subject = 'Hi {{ contact.first_name }}'
  expect(letterName({ name: 'May', subject })).toBe('May')
  expect(letterName({ name: '', subject })).toBe('Hi Ada')
  expect(letterName({ name: '', subject: '  ' })).toBe('A letter without a subject')
})
