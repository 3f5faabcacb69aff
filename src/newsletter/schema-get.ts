import { HOUR_MS } from '../clock.ts'
import { Type } from '@sinclair/typebox'
import { read } from '../operation/declare.ts'
import { RECEIPT_RETENTION_MS } from '../operation/receipt.ts'
import { Limit, obj } from '../schema.ts'
import { DEFAULT_LIMIT } from '../store/page.ts'
import { MAX_CONTACT_IDS } from './contacts/bulk.operations.ts'
import { fieldDefinitions } from './contacts/custom-values.ts'
import { ENGAGEMENT_CONDITIONS, OPERATORS, ruleFields } from './segments/rule-fields.ts'
import { MAX_LEVELS, MAX_RULES } from './segments/rules.ts'
import { MAX_AUDIENCE_ENTRIES } from './campaigns/audience-spec.ts'
import { MAX_TEST_ADDRESSES } from './campaigns/sending.operations.ts'
import { MAX_NESTED_SEGMENTS, MAX_EXPANDED_RULES } from './segments/segment-rules.ts'
import { BLOCK_TYPES } from './email/blocks.ts'
import { EmailDocument } from './email/document.ts'
import { MERGE_TAGS } from '../shared/merge-tags.ts'
import { MAX_CSV_BYTES } from './imports/imports.operations.ts'
import { ImportOptions } from './imports/mapping.ts'

const JsonSchema = Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON Schema.' })

export const getSchema = read({
  path: '/schema/get',
  scope: 'read',
  summary:
    "Describes email documents, merge tags, the fields and operators of rules for the project's contacts, and limits.",
  request: obj({}),
  response: obj({
    document_version: Type.Integer(),
    block_types: Type.Array(obj({ type: Type.String(), description: Type.String(), props: JsonSchema })),
    merge_tags: Type.Array(obj({ tag: Type.String(), description: Type.String(), example: Type.String() })),
    rule_fields: Type.Array(obj({ field: Type.String(), type: Type.String(), operators: Type.Array(Type.String()) })),
    engagement_conditions: Type.Array(obj({ field: Type.String(), description: Type.String(), value: JsonSchema })),
    operators: Type.Record(Type.String(), Type.Array(Type.String())),
    import_options: Type.Record(Type.String(), JsonSchema),
    limits: Type.Record(Type.String(), Type.Integer()),
  }),
  async run(_, { config, db, project_id }) {
    return {
      document_version: EmailDocument.properties.version.const,
      block_types: BLOCK_TYPES.map(({ type, description, props }) => ({
        type,
        description,
        props: JSON.parse(JSON.stringify(props)) as Record<string, unknown>,
      })),
      merge_tags: [...MERGE_TAGS],
      rule_fields: ruleFields(await fieldDefinitions(db, project_id)),
      engagement_conditions: [...ENGAGEMENT_CONDITIONS],
      operators: Object.fromEntries(Object.entries(OPERATORS).map(([type, operators]) => [type, [...operators]])),
      import_options: JSON.parse(JSON.stringify(ImportOptions.properties)) as Record<string, Record<string, unknown>>,
      limits: {
        reads_per_minute: config.newsletter_reads_per_minute,
        mutations_per_minute: config.newsletter_mutations_per_minute,
        idempotency_retention_hours: RECEIPT_RETENTION_MS / HOUR_MS,
        page_size_default: DEFAULT_LIMIT,
        page_size_max: Limit.maximum!,
        document_blocks: EmailDocument.properties.blocks.maxItems!,
        audience_entries: MAX_AUDIENCE_ENTRIES,
        test_send_addresses: MAX_TEST_ADDRESSES,
        import_csv_bytes: MAX_CSV_BYTES,
        bulk_contact_ids: MAX_CONTACT_IDS,
        rule_levels: MAX_LEVELS,
        rules: MAX_RULES,
        nested_segments: MAX_NESTED_SEGMENTS,
        rules_with_nested_segments: MAX_EXPANDED_RULES,
      },
    }
  },
})
