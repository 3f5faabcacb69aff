import type { AudienceSpec } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { useEvery } from '../../rules/every.ts'
import { count } from '../../ui/format.ts'
import type { Option } from '../../ui/combobox.tsx'

type Entry = AudienceSpec['include'][number]

/** What a campaign can be sent to or kept from: everybody, lists with their sizes, tags and segments. */
export function useAudienceOptions(): readonly Option[] {
  const lists = useEvery('lists/list', {}).data ?? []
  const tags = useEvery('tags/list', {}).data ?? []
  const segments = useEvery('segments/list', {}).data ?? []
  const stats = useRead('contacts/stats', {}).data
  const people = (of: number | undefined) => (of === undefined ? '' : `, ${count(of, 'person', 'people')}`)
  const onList = (id: number) => stats?.by_list.find(({ list_id }) => list_id === id)?.subscribed
  return [
    { value: 'all', label: 'Everybody', hint: `All subscribed contacts${people(stats?.by_status.subscribed)}` },
    ...lists.map(({ id, name }) => ({
      value: `list:${id}`,
      label: name,
      hint: `List${people(onList(id))}`,
    })),
    ...segments.map(({ id, name }) => ({ value: `segment:${id}`, label: name, hint: 'Segment' })),
    ...tags.map(({ id, name }) => ({ value: `tag:${id}`, label: name, hint: 'Tag' })),
  ]
}

export function optionOf(entry: Entry): string {
  return entry.type === 'all' ? 'all' : `${entry.type}:${entry.id}`
}

export function entryOf(option: string): Entry {
  const [type, id] = option.split(':')
  return type === 'all' ? { type } : { type: type as 'list' | 'tag' | 'segment', id: Number(id) }
}
