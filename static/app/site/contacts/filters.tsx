import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { RuleBuilder } from '../../rules/builder.tsx'
import { STATUS_CHOICES } from '../../rules/fields.ts'
import type { LiveCount } from '../../rules/live-count.ts'
import { asRules, rulesOf } from '../../rules/tree.ts'
import { count } from '../../ui/format.ts'
import { useMedia } from '../people/page-state.ts'
import type { Around } from './columns.tsx'
import { isQuickOnly, type Quick, quickValue, withQuick } from './quick.ts'
import { SaveSegment } from './save-segment.tsx'
import type { Filter } from './use-filter.ts'

interface FiltersProps {
  filter: Filter
  live: LiveCount
  around: Around
  /** Order and columns. */
  look: ComponentChildren
}

/** Search, shortcuts and rules. On a phone, everything but the search is in a sheet. */
export function Filters(props: FiltersProps) {
  const { filter, live } = props
  const isNarrow = useMedia('(width < 640px)')
  const [isOpen, open] = useState(false)
  const rules = rulesOf(filter.rules).length
  const search = (
    <SearchField
      label="Search name or address"
      label_hidden
      placeholder="Search name or address"
      value={filter.search}
      onInput={filter.setSearch}
    />
  )
  if (!isNarrow) return <Wide {...props} search={search} />
  return (
    <div class="contacts-bar">
      {search}
      <Button icon="filter" onClick={() => open(true)}>
        {rules === 0 ? 'Filters' : `Filters: ${rules}`}
      </Button>
      {isOpen && (
        <Drawer
          title="Filters"
          onClose={() => open(false)}
          actions={
            <>
              <Button kind="primary" onClick={() => open(false)}>
                {live.count === null ? 'Show them' : `Show ${count(live.count, 'person', 'people')}`}
              </Button>
              <Button onClick={filter.clear}>Clear filters</Button>
            </>
          }
        >
          <div class="stack">
            <Shortcuts {...props} labels />
            <Rules {...props} />
            <div class="row">{props.look}</div>
          </div>
        </Drawer>
      )}
    </div>
  )
}

function Wide({ search, ...props }: FiltersProps & { search: ComponentChildren }) {
  const { filter, look } = props
  const [wanted, want] = useState(false)
  const shown = wanted || !isQuickOnly(filter.rules)
  return (
    <>
      <div class="contacts-bar">
        {search}
        <Shortcuts {...props} />
        {!shown && (
          <Button
            kind="quiet"
            icon="plus"
            onClick={() => {
              want(true)
              if (filter.rules.rules.length === 0) filter.setRules(asRules({ op: 'and', rules: [{ field: '' }] }))
            }}
          >
            Rule
          </Button>
        )}
        {look}
      </div>
      {shown && (
        <Rules
          {...props}
          onClear={() => {
            want(false)
            filter.setRules(asRules({ op: 'and', rules: [] }))
          }}
        />
      )}
    </>
  )
}

function Rules({ filter, live, onClear }: FiltersProps & { onClear?: () => void }) {
  return (
    <RuleBuilder
      label="Filter"
      value={filter.rules}
      onChange={filter.setRules}
      live={live}
      onClear={onClear}
      actions={<SaveSegment live={live} />}
    />
  )
}

function Shortcuts({ filter, around, labels }: FiltersProps & { labels?: boolean }) {
  const choices: { quick: Quick; label: string; any: string; options: { value: string; label: string }[] }[] = [
    { quick: 'global_status', label: 'Status', any: 'Any status', options: [...STATUS_CHOICES] },
    { quick: 'list', label: 'List', any: 'Any list', options: named(around.lists.filter(({ archived }) => !archived)) },
    { quick: 'tag', label: 'Tag', any: 'Any tag', options: named(around.tags) },
  ]
  return (
    <div class={labels ? 'stack' : 'contacts-quick'}>
      {choices.map(({ quick, label, any, options }) => {
        const isPossible = withQuick(filter.rules, quick, '1') !== null
        if (options.length === 0 || !isPossible) return null
        return (
          <Select
            key={quick}
            label={label}
            label_hidden={!labels}
            placeholder={any}
            options={options}
            value={quickValue(filter.rules, quick)}
            onInput={(value) => filter.setRules(withQuick(filter.rules, quick, value)!)}
          />
        )
      })}
    </div>
  )
}

function named(entries: readonly { id: number; name: string }[]) {
  return entries.map(({ id, name }) => ({ value: String(id), label: name }))
}
