import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { ApiError } from '../../api/errors.ts'
import { data } from '../../api/data.ts'
import type { Job } from '../../api/operations.d.ts'
import { useQuery } from '../../api/query.ts'
import { type Audience, useNames } from '../../rules/audience.ts'
import { EVERYBODY } from '../../rules/tree.ts'
import { groupWords } from '../../rules/rule-text.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FlawSummary } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { number } from '../../ui/format.ts'
import { BulkFields, type BulkInput } from './bulk-fields.tsx'
import { type BulkAction, bulkWords, TYPED_FROM } from './bulk-kinds.ts'
import { countAsked, countTarget, isEverybody, type Target, targetBody } from './target.ts'

export interface BulkDialogProps {
  action: BulkAction
  target: Target
  /** The number that the page showed. */
  seen: number
  audience: Audience
  onClose: () => void
  onStarted: (job: Job, doing: string) => void
}

/**
 * Asks for confirmation of a bulk action. Contacts are counted again at the click; when the number has changed, the
 * dialog shows it and asks again.
 */
export function BulkDialog({ action, target, seen, audience, onClose, onStarted }: BulkDialogProps) {
  const [people, setPeople] = useState(seen)
  const [before, setBefore] = useState<number | null>(null)
  const [input, setInput] = useState<BulkInput>({})
  const [typed, setTyped] = useState('')
  const [counting, setCounting] = useState(false)
  const [uncounted, setUncounted] = useState<ApiError | null>(null)
  const list = audience.lists.find(({ id }) => id === input.list_id)
  const words = bulkWords(action, people, list && `“${list.name}”`)
  const bulk = useMutation('contacts/bulk', {
    invalidates: ['jobs/'],
    done: ({ job }) => {
      onStarted(job, words.doing)
      onClose()
    },
  })
  const asked = useAsked(target, action === 'add_to_list' ? input.list_id : undefined, audience)
  const wanted = wantedText(action, target, people)
  const missing =
    missingWords(action, input) ?? (wanted !== null && !isTyped(typed, wanted) ? `Type ${wanted} first.` : null)
  const act = async () => {
    if (missing !== null || counting) return
    setCounting(true)
    setUncounted(null)
    try {
      const now = await countTarget(target)
      if (now !== people) {
        setBefore(people)
        setPeople(now)
        setTyped('')
        return
      }
      await bulk.run({ action, ...targetBody(target), ...input })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setUncounted(error)
    } finally {
      setCounting(false)
    }
  }
  const everybody = action === 'delete' && isEverybody(target)
  return (
    <Dialog
      title={everybody ? 'Delete everybody?' : words.title}
      alert={words.danger}
      initial_focus={words.danger && wanted === null ? '.dialog-no button' : undefined}
      onClose={onClose}
      actions={
        <>
          <Button
            kind={words.danger ? 'danger' : 'primary'}
            busy={counting || bulk.busy}
            disabled_reason={missing}
            onClick={() => void act()}
          >
            {words.verb}
          </Button>
          <span class="dialog-no">
            <Button onClick={onClose}>Not now</Button>
          </span>
        </>
      }
    >
      <div class="stack">
        <FlawSummary error={bulk.error ?? uncounted} />
        {before !== null && (
          <Callout tone="wait" alert title={`It was ${number(before)} when you looked; it is ${number(people)} now.`} />
        )}
        {target.kind === 'matching' && <Who target={target} audience={audience} />}
        <BulkFields action={action} audience={audience} input={input} asked={asked} onChange={setInput} />
        {wanted !== null && (
          <TextField
            label={
              <>
                Type <strong class="typed">{wanted}</strong> to go on
              </>
            }
            autocomplete="off"
            value={typed}
            onInput={setTyped}
          />
        )}
      </div>
    </Dialog>
  )
}

/** The contacts that the action is about, in words. */
function Who({ target, audience }: { target: Target & { kind: 'matching' }; audience: Audience }) {
  const names = useNames(audience, target.filter ?? EVERYBODY)
  const parts = [
    target.search ? `name or address has “${target.search}”` : null,
    target.filter ? groupWords(target.filter, names) : null,
  ].filter((part) => part !== null)
  return (
    <p>
      <span class="quiet">Who: </span>
      {parts.length === 0 ? 'everybody in this project' : parts.join(', and ')}
    </p>
  )
}

function useAsked(target: Target, list_id: number | undefined, audience: Audience): number | null {
  const list = audience.lists.find(({ id }) => id === list_id)
  const { data } = useQuery(
    `contacts/stats asked ${list_id} ${JSON.stringify(targetBody(target))}`,
    () => countAsked(target, list!.id, audience.max_levels),
    { enabled: list?.double_opt_in === true },
  )
  return data ?? null
}

/** What the user has to type before many contacts are deleted. */
function wantedText(action: BulkAction, target: Target, people: number): string | null {
  if (action !== 'delete') return null
  if (isEverybody(target)) return data.project!.name
  return people >= TYPED_FROM ? String(people) : null
}

/** The number may be typed as it is shown: 1,204. */
function isTyped(typed: string, wanted: string): boolean {
  const text = typed.trim()
  return text === wanted || (/^\d+$/.test(wanted) && text.replaceAll(/[\s.,’']/g, '') === wanted)
}

function missingWords(action: BulkAction, { list_id, tag_ids, consent_text }: BulkInput): string | null {
  if ((action === 'add_to_list' || action === 'remove_from_list') && list_id === undefined)
    return 'Choose a list first.'
  if ((action === 'add_tags' || action === 'remove_tags') && !tag_ids?.length) return 'Choose a tag first.'
  if (action === 'add_to_list' && !consent_text?.trim()) return 'Say what they agreed to first.'
  return null
}
