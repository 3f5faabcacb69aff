import uuid, requests

MASTHEAD_KEY = "svc_pk_…"

def call(path, body):
    answer = requests.post(
        f"https://masthead.example/general/api/v1/newsletter/{path}",
        headers={"Authorization": MASTHEAD_KEY, "Idempotency-Key": str(uuid.uuid4())},
        json=body,
    )
    answer.raise_for_status()
    return answer.json()["data"]

call("contacts/upsert", {
    "email": "ada@example.com",
    "first_name": "Ada",
    "consent_text": "Added to try the API.",
})
call("contacts/upsert", {
    "email": "ada@example.com",
    "first_name": "Augusta",
    "consent_text": "Added to try the API.",
})
print(call("contacts/get", {"email": "ada@example.com"})["contact"])
