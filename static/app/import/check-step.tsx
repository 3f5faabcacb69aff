import { useMutation } from '../api/action.ts'
import type { Import } from '../api/operations.d.ts'
import { Button } from '../ui/button.tsx'
import { Callout, Skeleton } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { count, number } from '../ui/format.ts'
import { FormActions } from '../ui/page.tsx'
import { Progress } from '../ui/progress.tsx'
import { Cell } from './cell.tsx'
import { forgetDraft, type ImportDraft } from './draft.ts'
import type { StepId } from './import-steps.tsx'
import { columnNames, flawCount, REASONS, RowErrors } from './row-errors.tsx'
import { type Checked, useCheck } from './use-check.ts'

interface Props {
  record: Import
  draft: ImportDraft
  onBack(step: StepId): void
  /** Lets the import make the tags that are missing, and checks again. */
  onMakeTags(): void
}

/** Reads the whole file without importing anything, and reports what an import would do. */
export function CheckStep({ record, draft, onBack, onMakeTags }: Props) {
  const { result, error, rows_read } = useCheck(record, draft)
  const commit = useMutation('imports/commit', {
    invalidates: ['imports/', 'jobs/'],
    done: () => forgetDraft(record.id),
  })
  if (error)
    return (
      <>
        <FlawSummary title="The file could not be checked like this." error={error} />
        <div class="row">
          <Button onClick={() => onBack('columns')}>Back to the columns</Button>
          <Button onClick={() => onBack('consent')}>Back to consent</Button>
        </div>
      </>
    )
  if (!result)
    return (
      <>
        <p>Reading every row…{rows_read !== null && rows_read > 0 && ` ${number(rows_read)} so far.`}</p>
        <Skeleton lines={4} />
      </>
    )
  const { summary, row_errors } = result
  const { findings } = result.import
  const nameOf = columnNames(record.columns, draft.mapping)
  const isStopped = draft.options.on_invalid === 'abort' && summary.invalid > 0
  const taken = draft.options.update_existing ? summary.new + summary.existing : summary.new
  return (
    <>
      <Card title="What would happen">
        <div class="stack">
          <Progress
            label={count(summary.rows, 'row', 'rows')}
            max={summary.rows}
            segments={[
              { label: 'New', value: summary.new, tone: 'good' },
              { label: 'Here already', value: summary.existing, tone: 'accent' },
              { label: 'Twice in the file', value: summary.duplicates_in_file, tone: 'quiet' },
              { label: 'Not valid', value: summary.invalid, tone: 'bad' },
            ]}
          />
          <Sentences result={result} draft={draft} />
        </div>
      </Card>
      {findings !== null && findings.unreadable > 0 && (
        <Callout
          tone="wait"
          title={`${count(findings.unreadable, 'row has', 'rows have')} a character that could not be read.`}
          actions={
            record.encoding_found !== null && (
              <Button small onClick={() => onBack('columns')}>
                Change the encoding
              </Button>
            )
          }
        >
          <p>
            It stands as <Cell text="�" /> in the names.
            {record.encoding_found === null && ' Export the file again as UTF-8, or choose the file itself.'}
          </p>
        </Callout>
      )}
      <Reasons findings={findings} nameOf={nameOf} onMakeTags={onMakeTags} />
      <RowErrors
        isStored
        errors={row_errors}
        total={flawCount(findings) ?? summary.invalid}
        nameOf={nameOf}
        import_id={record.id}
      />
      <FlawSummary title="The import did not begin." error={commit.error} />
      <FormActions note={isStopped ? 'Rows that are not valid stop this import.' : null}>
        <Button
          kind="primary"
          main
          busy={commit.busy}
          disabled_reason={
            isStopped
              ? 'Mend the file, or leave such rows out.'
              : summary.valid === 0
                ? 'No row can be imported.'
                : null
          }
          onClick={() => void commit.run({ import_id: record.id })}
        >
          {`Import ${count(taken, 'person', 'people')}`}
        </Button>
        <Button onClick={() => onBack('consent')}>Back</Button>
      </FormActions>
    </>
  )
}

function Sentences({ result: { summary, import: record }, draft }: { result: Checked; draft: ImportDraft }) {
  const { findings } = record
  // Whoever has left, by the file or by a suppression, becomes a contact and joins nothing.
  const joining = findings?.joining ?? summary.new
  const joins =
    draft.consent === 'contacts'
      ? `${count(summary.new, 'person becomes a contact', 'people become contacts')}.`
      : draft.consent === 'ask'
        ? `${count(joining, 'person is', 'people are')} asked to confirm.`
        : `${count(joining, 'person joins', 'people join')}.`
  const here = draft.options.update_existing
    ? `${count(summary.existing, 'is here already and follows', 'are here already and follow')} the file.`
    : `${count(summary.existing, 'is here already and stays', 'are here already and stay')} as before.`
  return (
    <ul>
      <li>{joins}</li>
      {summary.existing > 0 && <li>{here}</li>}
      {summary.suppressed > 0 && <li>{number(summary.suppressed)} are suppressed and stay so.</li>}
      {findings && findings.opted_out > 0 && (
        <li>{number(findings.opted_out)} have left, bounced or complained: they are never written to.</li>
      )}
      {findings && findings.dropped_values > 0 && (
        <li>{count(findings.dropped_values, 'wrong value is', 'wrong values are')} left out.</li>
      )}
      {findings && findings.new_tags > 0 && <li>{count(findings.new_tags, 'tag is', 'tags are')} made.</li>}
      {summary.duplicates_in_file > 0 && (
        <li>{count(summary.duplicates_in_file, 'row repeats', 'rows repeat')} an address of the file.</li>
      )}
      {summary.invalid > 0 && <li>{count(summary.invalid, 'row is', 'rows are')} skipped.</li>}
    </ul>
  )
}

/** Why rows or values are not imported, with how often each reason stands in the whole file. */
function Reasons({
  findings,
  nameOf,
  onMakeTags,
}: { findings: Import['findings']; nameOf(field: string): string } & Pick<Props, 'onMakeTags'>) {
  if (!findings || findings.reasons.length === 0) return null
  const { reasons, unknown_tags } = findings
  return (
    <Callout
      tone="wait"
      title="Why rows or values are left out"
      actions={
        unknown_tags > 0 && (
          <Button small icon="plus" onClick={onMakeTags}>
            {unknown_tags === 1 ? 'Make this tag' : `Make these ${number(unknown_tags)} tags`}
          </Button>
        )
      }
    >
      <ul>
        {reasons.map(({ code, field, errors }) => (
          <li key={`${code} ${field}`}>
            {number(errors)} × {REASONS[code].toLowerCase()}
            {field !== null && ` in ${nameOf(field)}`}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
