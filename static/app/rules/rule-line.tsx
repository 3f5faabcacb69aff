import { useEffect, useRef } from 'preact/hooks'
import { classes } from '../ui/classes.ts'
import { Field, FieldNotes, Select } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import type { Audience } from './audience.ts'
import { newRule, operatorWords, type Operator, type RuleField, withOperator } from './fields.ts'
import { isFinished } from './finished.ts'
import type { Rule } from './tree.ts'
import { idsOf, ValueEditor } from './value-editors.tsx'
import { type Names, ruleWords } from './rule-text.ts'

interface RuleLineProps {
  rule: Rule
  audience: Audience
  names: Names
  /** The error that the service found in it. */
  flaw: string | null
  onChange: (rule: Rule) => void
  onRemove: () => void
  onDouble?: () => void
  /** Absent where groups cannot nest deeper. */
  onGroup?: () => void
}

/** One rule: field, operator, value. */
export function RuleLine(props: RuleLineProps) {
  const { rule, audience, names, onChange } = props
  const line = useRef<HTMLLIElement>(null)
  const field = audience.fieldOf(rule.field)
  useEffect(() => {
    if (rule.field === '') line.current?.querySelector('select')?.focus()
  }, [])
  const gone = goneWords(rule, field, names)
  const flaw = gone ?? props.flaw
  return (
    <li ref={line} class={classes('rule-line', flaw !== null && 'rule-flawed')} aria-label={ruleWords(rule, names)}>
      <div class="rule-parts">
        <FieldChoice rule={rule} field={field} audience={audience} onChange={onChange} />
        {field && field.type !== 'engagement' && field.type !== 'boolean' && (
          <Select
            label="Operator"
            label_hidden
            value={rule.operator ?? field.operators[0]!}
            options={field.operators.map((operator) => ({
              value: operator,
              label: operatorWords(operator, field.type),
            }))}
            onInput={(operator) => onChange(withOperator(rule, operator as Operator, field.type))}
          />
        )}
        {field?.type === 'boolean' && <span class="rule-word">is</span>}
        {field && (
          <div class={classes('rule-value', field.type === 'engagement' && 'rule-value-wide')}>
            <ValueEditor rule={rule} field={field} audience={audience} names={names} onChange={onChange} />
          </div>
        )}
      </div>
      <Menu icon="more" small label="What to do with this rule" items={menuItems(props, field)} />
      <div class="rule-notes">
        <FieldNotes
          flaw={flaw}
          hint={!flaw && !isFinished(rule) && field ? 'Not finished: it does not count yet.' : null}
        />
      </div>
    </li>
  )
}

function menuItems({ rule, onChange, onRemove, onDouble, onGroup }: RuleLineProps, field: RuleField | null) {
  const machine = (rule.value as { machine?: 'include' | 'exclude' } | undefined)?.machine ?? field?.machine
  return [
    field?.machine !== undefined && {
      label: 'Count opens and clicks by machines',
      checked: machine === 'include',
      onSelect: () => {
        const value = { ...(rule.value as object), machine: machine === 'include' ? 'exclude' : 'include' }
        onChange({ ...rule, value })
      },
    },
    field?.machine !== undefined && ('line' as const),
    onDouble && { label: 'Duplicate', icon: 'copy' as const, onSelect: onDouble },
    onGroup && { label: 'Put into a group', icon: 'layers' as const, onSelect: onGroup },
    { label: 'Remove', icon: 'trash' as const, onSelect: onRemove },
  ]
}

function FieldChoice({
  rule,
  field,
  audience,
  onChange,
}: Pick<RuleLineProps, 'rule' | 'audience' | 'onChange'> & { field: RuleField | null }) {
  const pick = (name: string) => {
    const chosen = audience.fieldOf(name)
    if (chosen) onChange(newRule(chosen))
  }
  return (
    <Field label="Field" label_hidden>
      {(ids) => (
        <select
          class="input input-select"
          {...ids}
          value={rule.field}
          onChange={(event) => pick(event.currentTarget.value)}
        >
          {!field && (
            <option value={rule.field} selected>
              {rule.field === '' ? 'Choose what to ask…' : rule.field.replace(/^custom\./, '')}
            </option>
          )}
          {audience.groups.map((group) => (
            <optgroup key={group.label} label={group.label}>
              {group.fields.map(({ name, label }) => (
                <option key={name} value={name} selected={name === rule.field}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A warning for a rule that refers to something deleted; null otherwise. */
function goneWords(rule: Rule, field: RuleField | null, names: Names): string | null {
  if (!field) return rule.field === '' ? null : 'This field was deleted. Remove the rule, or choose another field.'
  if (field.type === 'engagement') {
    const { campaign_id } = (rule.value ?? {}) as { campaign_id?: number }
    if (campaign_id === undefined || names.campaign(campaign_id) !== null) return null
    return `This campaign was deleted: the rule finds ${isNegative(rule) ? 'everybody' : 'nobody'}.`
  }
  if (field.type !== 'list' && field.type !== 'tag' && field.type !== 'segment') return null
  const nameOf = names[field.type]
  const ids = idsOf(rule)
  const gone = ids.filter((id) => nameOf(id) === null)
  if (gone.length === 0) return null
  if (gone.length < ids.length) return `A ${field.type} of this rule was deleted and finds nobody.`
  return `This ${field.type} was deleted: the rule finds ${isNegative(rule) ? 'everybody' : 'nobody'}.`
}

function isNegative({ field, operator }: Rule): boolean {
  return operator === 'not_in' || field.startsWith('not_') || field === 'inactive'
}
