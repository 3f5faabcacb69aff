MASTHEAD_KEY='svc_pk_…'
API='https://masthead.example/general/api/v1/newsletter'

curl -sS -w '\n' "$API/contacts/upsert" \
  -H "Authorization: $MASTHEAD_KEY" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: add-$(date +%s)" \
  -d '{"email": "ada@example.com",
    "first_name": "Ada",
    "consent_text": "Added to try the API."}'

curl -sS -w '\n' "$API/contacts/upsert" \
  -H "Authorization: $MASTHEAD_KEY" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: change-$(date +%s)" \
  -d '{"email": "ada@example.com",
    "first_name": "Augusta",
    "consent_text": "Added to try the API."}'

curl -sS -w '\n' "$API/contacts/get" \
  -H "Authorization: $MASTHEAD_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"email": "ada@example.com"}'
