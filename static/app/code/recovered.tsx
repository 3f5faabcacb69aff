import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { dateTime } from '../ui/format.ts'
import type { Draft } from './draft.ts'

/** Says that a draft comes from an earlier visit, and shows what is stored on request. */
export function Recovered({ draft }: { draft: Pick<Draft<object>, 'recovered' | 'dropRecovered'> }) {
  const { recovered, dropRecovered } = draft
  if (!recovered) return null
  return (
    <Callout
      tone="wait"
      title={`You wrote this on ${dateTime(new Date(recovered.at).toISOString())} and did not save it.`}
      actions={<Button onClick={dropRecovered}>Show what is saved</Button>}
    >
      <p>
        This browser kept it.{' '}
        {recovered.is_older && 'Since then another version was saved, which is replaced when you save this one. '}
        “Show what is saved” drops it.
      </p>
    </Callout>
  )
}
