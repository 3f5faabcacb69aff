/**
 * Writes the types of all operations and JSON routes for the web application, from the same declarations as the OpenAPI
 * documents. The type check runs it first.
 */
import { join } from 'node:path'
import { apiDocuments } from '../src/http/documents.ts'
import { clientTypes } from '../src/operation/client-types.ts'

const path = join(import.meta.dir, '../static/app/api/operations.d.ts')
await Bun.write(path, clientTypes(apiDocuments()))
