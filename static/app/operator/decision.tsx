import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { type RouteResponse, send, sendOnce } from '../api/calls.ts'
import { useQuery } from '../api/query.ts'
import { store, stored } from '../api/stored.ts'
import { confirmed } from '../confirm-identity.ts'
import { link } from '../api/link.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { KeyHint } from '../ui/code.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { TextArea } from '../ui/field.tsx'
import { letterKeyApplies } from '../ui/keys.ts'
import { toast } from '../ui/toast.tsx'
import { Menu } from '../ui/menu.tsx'

export type Request = RouteResponse<'GET /user/review-requests/:id'>['review_request']
type Verdict = 'approve' | 'request-changes' | 'reject'

const VERDICTS: Readonly<Record<string, Verdict>> = { a: 'approve', c: 'request-changes', r: 'reject' }

const OUTCOMES: Readonly<Record<Verdict, string>> = {
  approve: 'is approved, and sites get it.',
  'request-changes': 'went back with what is to change.',
  reject: 'is rejected.',
}

/**
 * Approve, ask for changes, or reject. Keys lead to the buttons and to the next request.
 * @param name of the app and its version
 */
export function Decision({ request: { id }, name }: { request: Request; name: string }) {
  const { route } = useLocation()
  const comment = useSignal('')
  const decide = useAction(
    async (verdict: Verdict) => {
      await confirmed(() =>
        sendOnce(`POST /user/review-requests/:id/${verdict}`, { comment: comment.value }, { params: { id } }),
      )
      return verdict
    },
    {
      invalidates: ['/user/review-requests', '/user/operator/apps'],
      done: (verdict) => {
        const action = { label: 'Show it', href: link(`/reviews/${id}`) }
        toast({ text: `${name} ${OUTCOMES[verdict]}`, tone: 'good', action })
        route(link('/reviews'))
      },
    },
  )
  const isSilent = comment.value.trim() === ''
  useReviewKeys(id)
  const button = (verdict: Verdict) => ({
    busy: decide.busy,
    disabled: verdict !== 'approve' && isSilent,
    onClick: () => void decide.run(verdict),
  })
  return (
    <Card title="Decision" actions={<Replies text={comment.value} onChoose={(text) => (comment.value = text)} />}>
      <form class="stack" id="decision" onSubmit={(event) => event.preventDefault()}>
        <FlawSummary title="Nothing was decided." error={decide.error} />
        <TextArea
          label="Comment"
          flaw={decide.error?.flawOf('/comment')}
          hint="The team gets it by mail. Who asks for changes or rejects says why."
          rows={3}
          value={comment.value}
          onInput={(text) => (comment.value = text)}
        />
        <div class="row">
          <Button kind="primary" {...button('approve')}>
            Approve
          </Button>
          <Button {...button('request-changes')}>Ask for changes</Button>
          <Button kind="danger" {...button('reject')}>
            Reject
          </Button>
        </div>
        <p class="small quiet">
          <KeyHint keys="a" />, <KeyHint keys="c" /> and <KeyHint keys="r" /> lead to the buttons, <KeyHint keys="j" />{' '}
          and <KeyHint keys="k" /> to the next request and the one before.
        </p>
      </form>
    </Card>
  )
}

const ORDER: readonly Verdict[] = ['approve', 'request-changes', 'reject']

/** The keys of a review. None of them decides: a key moves the focus, and Enter presses the button. */
function useReviewKeys(id: number) {
  const { route } = useLocation()
  const waiting = useQuery('/user/review-requests pending', (signal) =>
    send('GET /user/review-requests', {}, { query: { status: 'pending', limit: 100 }, signal }),
  ).data?.review_requests
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!letterKeyApplies(event)) return
      const verdict = VERDICTS[event.key]
      if (verdict) {
        const form = document.querySelector<HTMLFormElement>('#decision')!
        const button = form.querySelectorAll<HTMLButtonElement>('button')[ORDER.indexOf(verdict)]!
        ;(button.matches(':disabled, [aria-disabled=true]') ? form.querySelector('textarea')! : button).focus()
        event.preventDefault()
        return
      }
      const ids = waiting?.map((request) => request.id).toSorted((one, other) => one - other) ?? []
      const step = { j: 1, k: -1 }[event.key]
      const next = step === undefined ? undefined : ids[ids.indexOf(id) + step]
      if (next !== undefined) route(link(`/reviews/${next}`))
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
}

const REPLIES = 'masthead-review-replies'
const MAX_REPLIES = 20

/** Comments that the operator saved in this browser for reuse. */
function Replies({ text, onChoose }: { text: string; onChoose(text: string): void }) {
  const kept = useSignal(readReplies())
  const keep = (replies: readonly string[]) => {
    kept.value = replies.slice(0, MAX_REPLIES)
    store(REPLIES, kept.value)
  }
  const written = text.trim()
  return (
    <Menu
      label="Replies"
      small
      items={[
        ...kept.value.map((reply) => ({ label: reply, onSelect: () => onChoose(reply) })),
        kept.value.length > 0 && 'line',
        {
          label: 'Keep this comment',
          disabled_reason: written === '' ? 'Write one first.' : null,
          onSelect: () => keep([written, ...kept.value.filter((reply) => reply !== written)]),
        },
        kept.value.includes(written) && {
          label: 'Forget this comment',
          onSelect: () => keep(kept.value.filter((reply) => reply !== written)),
        },
      ]}
    />
  )
}

function readReplies(): readonly string[] {
  const replies = stored<unknown>(REPLIES)
  return Array.isArray(replies) ? replies.filter((reply): reply is string => typeof reply === 'string') : []
}
