import { expect, test } from 'bun:test'
import { type BulkAction, bulkWords } from '../../../../static/app/site/contacts/bulk-kinds.ts'

test.each<[BulkAction, string, string, string, boolean]>([
  ['add_to_list', 'Add 2 people to a list', 'Add 2 people', 'Adding 2 people to “News”', false],
  ['remove_from_list', 'Remove 2 people from a list', 'Remove 2 people', 'Removing 2 people from “News”', true],
  ['add_tags', 'Tag 2 people', 'Tag 2 people', 'Tagging 2 people', false],
  ['remove_tags', 'Remove tags from 2 people', 'Untag 2 people', 'Removing tags from 2 people', false],
  ['unsubscribe', 'Unsubscribe 2 people?', 'Unsubscribe 2 people', 'Unsubscribing 2 people', true],
  ['delete', 'Delete 2 contacts?', 'Delete 2 contacts', 'Deleting 2 contacts', true],
])('The words of %s name how many, and the dangerous ones are marked.', (action, title, verb, doing, danger) => {
  expect(bulkWords(action, 2, '“News”')).toEqual({ title, verb, doing, danger })
})

test('One is one, and a list without a name is a list.', () => {
  expect(bulkWords('add_to_list', 1)).toMatchObject({ verb: 'Add 1 person', doing: 'Adding 1 person to a list' })
  expect(bulkWords('delete', 1).verb).toBe('Delete 1 contact')
})
