import { useRef } from 'preact/hooks'
import { Button, IconButton } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import type { Audience } from './audience.ts'
import { RuleLine } from './rule-line.tsx'
import { appended, type Group, isGroup, type Member, type Path, replaced, type Rule } from './tree.ts'
import type { Names } from './rule-text.ts'

interface GroupViewProps {
  group: Group
  path: Path
  /** The outermost group, which every edit changes. */
  root: Group
  audience: Audience
  names: Names
  is_full: boolean
  flawOf: (rule: Rule) => string | null
  onChange: (root: Group) => void
  /** Removes the outermost group. */
  onRemove?: () => void
}

const OPS = [
  { value: 'and', label: 'all' },
  { value: 'or', label: 'any' },
  { value: 'not', label: 'none' },
]

const NEW: Rule = { field: '' }

/** A group: its operator, its members, and buttons that add members. */
export function GroupView(props: GroupViewProps) {
  const { group, path, root, audience, is_full, onChange, onRemove } = props
  const element = useRef<HTMLDivElement>(null)
  const level = path.length + 1
  const remove = (at: Path) => {
    onChange(replaced(root, at, null))
    element.current?.querySelector<HTMLElement>(':scope > .rule-buttons button')?.focus()
  }
  return (
    <div class="rule-group" ref={element} role="group" aria-label={`Group of level ${level}`}>
      <div class="rule-group-head">
        <span aria-hidden="true">Match</span>
        <Select
          label="How many of the rules must match"
          label_hidden
          value={group.op}
          options={OPS}
          onInput={(op) => onChange(replaced(root, path, { ...group, op: op as Group['op'] }))}
        />
        <span aria-hidden="true">of</span>
        <span class="rule-group-end">
          {path.length > 0 && (
            <IconButton small icon="x" label="Remove this group" onClick={() => onChange(replaced(root, path, null))} />
          )}
          {path.length === 0 && onRemove && <IconButton small icon="x" label="Remove the rules" onClick={onRemove} />}
        </span>
      </div>
      {group.rules.length > 0 && (
        <ul class="rule-list">
          {group.rules.map((member, index) => (
            <MemberView key={index} {...props} member={member} at={[...path, index]} onRemoveAt={remove} />
          ))}
        </ul>
      )}
      <div class="rule-buttons">
        {!is_full && (
          <Button kind="quiet" small icon="plus" onClick={() => onChange(appended(root, path, NEW))}>
            Rule
          </Button>
        )}
        {!is_full && level < audience.max_levels && (
          <Button
            kind="quiet"
            small
            icon="plus"
            onClick={() => onChange(appended(root, path, { op: group.op === 'or' ? 'and' : 'or', rules: [NEW] }))}
          >
            Group
          </Button>
        )}
      </div>
    </div>
  )
}

interface MemberViewProps extends GroupViewProps {
  member: Member
  at: Path
  onRemoveAt: (at: Path) => void
}

function MemberView({ member, at, onRemoveAt, ...props }: MemberViewProps) {
  const { root, path, audience, names, is_full, flawOf, onChange } = props
  if (isGroup(member)) {
    return (
      <li class="rule-nested">
        <GroupView {...props} group={member} path={at} />
      </li>
    )
  }
  return (
    <RuleLine
      rule={member}
      audience={audience}
      names={names}
      flaw={flawOf(member)}
      onChange={(rule) => onChange(replaced(root, at, rule))}
      onRemove={() => onRemoveAt(at)}
      onDouble={is_full ? undefined : () => onChange(appended(root, path, member))}
      onGroup={
        at.length < audience.max_levels ? () => onChange(replaced(root, at, { op: 'or', rules: [member] })) : undefined
      }
    />
  )
}
