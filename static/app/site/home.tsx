import { useRead } from '../api/query.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { number } from '../ui/format.ts'
import { PageHead } from '../ui/page.tsx'

export default function Home() {
  const { data, error, reload } = useRead('overview', {})
  return (
    <>
      <PageHead title="Home" />
      {error && <ErrorNote title="The overview could not be loaded." error={error} retry={reload} />}
      {data && <p>{number(data.contacts.total)} contacts</p>}
    </>
  )
}
