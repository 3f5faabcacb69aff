import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { Connection } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'

/** The answers to load again after a fix. */
export const AGAIN = ['settings/', 'connections/', 'campaigns/readiness'] as const

/** A connection that can be tested where its error is shown. */
export function MendConnection({ connection }: { connection: Connection | null }) {
  const [refusal, setRefusal] = useState<{ words: string; meaning: string | null } | null>(null)
  const test = useMutation('connections/test', {
    invalidates: AGAIN,
    done: ({ ok, error }) => {
      if (ok) return setRefusal(null)
      const words = error ?? 'The relay refused.'
      setRefusal({ words, meaning: null })
      // Few tests fail, so the page does not begin with what their words mean. Without it the words stand alone.
      import('../../relay-words.ts').then(
        ({ relayMeaning }) => setRefusal({ words, meaning: relayMeaning(words) }),
        () => undefined,
      )
    },
  })
  if (!connection)
    return can('administrator') ? (
      <a href={link('/sending/new')}>Add a connection</a>
    ) : (
      <span class="quiet">{whoMay('Adding connections', 'administrator')}</span>
    )
  if (!can('administrator')) return <span class="quiet">{whoMay('Testing connections', 'administrator')}</span>
  return (
    <div class="mend">
      <FlawSummary error={test.error} />
      {refusal !== null && (
        <p>
          {refusal.meaning ?? 'The relay said:'} <span class="address">{refusal.words}</span>
        </p>
      )}
      <div class="row">
        <Button small busy={test.busy} onClick={() => void test.run({ connection_id: connection.id })}>
          Test the connection
        </Button>
        <a href={link(`/sending/${connection.id}`)}>Look at it</a>
      </div>
    </div>
  )
}
