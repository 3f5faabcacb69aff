import { ErrorNote } from '../ui/error-note.tsx'
import { classes } from '../ui/classes.ts'
import { count } from '../ui/format.ts'
import type { LiveCount } from './live-count.ts'

/** "1,204 people, for example Ada Lind and Bo Holm". An outdated number is gray until the new one has loaded. */
export function CountLine({ live, is_empty }: { live: LiveCount; is_empty: boolean }) {
  const { error } = live
  // An error of a rule is shown at the rule.
  if (error && error.flaws.length === 0)
    return <ErrorNote title="They could not be counted." error={error} retry={live.reload} />
  const people = live.count === null ? null : count(live.count, 'person', 'people')
  const examples = live.sample.slice(0, 2).map(({ full_name, email }) => full_name || email)
  return (
    <div class="rules-count">
      <p class={classes('rules-number', live.is_old && 'rules-old')} aria-busy={live.is_old || undefined}>
        <span aria-live="polite" aria-atomic="true">
          {people === null ? 'Counting…' : is_empty ? `Everybody: ${people}` : people}
        </span>
      </p>
      {live.unfinished > 0 ? (
        <p class="rules-sample">{`${count(live.unfinished, 'rule is', 'rules are')} not finished and not counted.`}</p>
      ) : (
        examples.length > 0 && <p class="rules-sample">{`for example ${examples.join(', ')}`}</p>
      )}
    </div>
  )
}
