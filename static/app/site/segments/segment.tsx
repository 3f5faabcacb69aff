import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { useRead } from '../../api/query.ts'
import type { RuleGroup, Segment } from '../../api/operations.d.ts'
import { can, whoMay } from '../../api/role.ts'
import type { PageProps } from '../../page-props.ts'
import { packRules, unpackRules } from '../../rules/address.ts'
import { useAudience, useNames } from '../../rules/audience.ts'
import { RuleBuilder } from '../../rules/builder.tsx'
import { CountLine } from '../../rules/count-line.tsx'
import { finishedPart } from '../../rules/finished.ts'
import { useLiveCount } from '../../rules/live-count.ts'
import { EVERYBODY } from '../../rules/tree.ts'
import { groupWords } from '../../rules/rule-text.ts'
import { link } from '../../api/link.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty, Skeleton } from '../../ui/callout.tsx'
import { ErrorNote, FlawSummary } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormActions, PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { SegmentMenu } from './segment-menu.tsx'

const BACK = { href: link('/segments'), label: 'Segments' }

/** One segment, or a new one. Unsaved changes are in the address, so that nothing is lost. */
export default function SegmentPage({ params, query }: PageProps) {
  const isNew = params.id === undefined
  const { data, error, reload } = useRead('segments/get', { segment_id: Number(params.id) }, { enabled: !isNew })
  if (isNew) return <Editor segment={null} query={query} />
  if (data) return <Editor key={data.segment.id} segment={data.segment} query={query} />
  if (error?.code === 'NOT_FOUND' || error?.code === 'VALIDATION_FAILED') {
    return (
      <>
        <PageHead title="Segment" back={BACK} />
        <Empty
          sentence="There is no such segment. It may have been deleted, or belongs to another project."
          action={<Button href={link('/segments')}>All segments</Button>}
        />
      </>
    )
  }
  return (
    <>
      <PageHead title="Segment" back={BACK} />
      {error ? (
        <ErrorNote title="The segment could not be loaded." error={error} retry={reload} />
      ) : (
        <Skeleton rows={4} />
      )}
    </>
  )
}

const QUIET_MS = 400

function Editor({ segment, query }: { segment: Segment | null; query: Record<string, string> }) {
  const { route } = useLocation()
  const saved = { name: segment?.name ?? '', rules: segment?.rules ?? EVERYBODY }
  const [name, setName] = useState(query.name ?? saved.name)
  const [rules, setRules] = useState<RuleGroup>(unpackRules(query.filter) ?? saved.rules)
  const live = useLiveCount(rules)
  const packed = packRules(finishedPart(rules).group)
  const isChanged = name !== saved.name || packed !== packRules(saved.rules) || live.unfinished > 0
  useKeptInAddress(segment, isChanged ? { name, filter: packed } : {})
  const leave = (text: string, next: Segment) => {
    toast({ text, tone: 'good' })
    route(link(`/segments/${next.id}`), segment !== null)
  }
  const create = useMutation('segments/create', {
    invalidates: ['segments/'],
    done: (answer) => leave(`“${answer.segment.name}” is saved.`, answer.segment),
  })
  const update = useMutation('segments/update', {
    invalidates: ['segments/'],
    done: (answer) => leave(`“${answer.segment.name}” is saved.`, answer.segment),
  })
  const save = segment === null ? create : update
  const submit = () => {
    const body = { name, rules: live.rules }
    if (segment === null) void create.run(body)
    else void update.run({ segment_id: segment.id, ...body })
  }
  const missing =
    name.trim() === '' ? 'Give it a name first.' : live.unfinished > 0 ? 'Finish the marked rule first.' : null
  const isEditor = can('editor')
  return (
    <>
      <PageHead
        title={segment?.name ?? 'New segment'}
        back={BACK}
        lead={isEditor ? undefined : whoMay('Changing segments', 'editor')}
        secondary={
          <>
            <Button icon="users" href={link('/contacts', { filter: packed })}>
              See these people
            </Button>
            {segment && isEditor && (
              <Button icon="send" href={link('/campaigns/new', { audience: `segment:${segment.id}` })}>
                Write to them
              </Button>
            )}
            {segment && <SegmentMenu segment={segment} onDeleted={() => route(link('/segments'))} />}
          </>
        }
      />
      {isEditor ? (
        <div class="stack">
          <FlawSummary error={save.error} />
          <div class="form">
            <TextField
              label="Name"
              required
              maxlength={100}
              autocomplete="off"
              value={name}
              onInput={setName}
              flaw={save.error?.flawOf('/name')}
            />
          </div>
          <RuleBuilder label="Rules of the segment" value={rules} onChange={setRules} live={live} />
          <FormActions changed={segment === null ? undefined : isChanged}>
            <Button main kind="primary" busy={save.busy} disabled_reason={missing} onClick={submit}>
              Save
            </Button>
          </FormActions>
        </div>
      ) : (
        <ReadOnly rules={saved.rules} live={live} />
      )}
    </>
  )
}

function ReadOnly({ rules, live }: { rules: RuleGroup; live: ReturnType<typeof useLiveCount> }) {
  const { audience } = useAudience()
  const names = useNames(audience, rules)
  return (
    <Card title="Who is in it">
      <div class="stack">
        <p>{audience ? groupWords(rules, names) : '…'}</p>
        <CountLine live={live} is_empty={rules.rules.length === 0} />
      </div>
    </Card>
  )
}

/** Writes unsaved changes into the address after a pause. */
function useKeptInAddress(segment: Segment | null, draft: { name?: string; filter?: string }): void {
  const { route } = useLocation()
  const address = link(segment === null ? '/segments/new' : `/segments/${segment.id}`, draft)
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    const timer = setTimeout(() => route(address, true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [address])
}
