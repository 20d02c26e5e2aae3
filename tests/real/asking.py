"""An agent that hands over what its framework asks, in the framework's own words, by plain HTTP."""

import uuid


class Asker:
    """One key of a running console."""

    def __init__(self, console, agent):
        self._http = console.http(agent.key)

    def ask(self, kind, request, **more):
        """Open a case from a request in kind."""
        told = {"key": uuid.uuid4().hex, "trace_id": uuid.uuid4().hex, "request": request, **more}
        answer = self._http.post(f"/api/v1/escalations/kinds/{kind}", json=told)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def answer(self, case):
        """Read the decision in kind and acknowledge it; None while there is none."""
        found = self._http.get(f"/api/v1/escalations/{case['id']}/answer")
        if found.status_code == 204:
            return None
        assert found.status_code == 200, found.text
        said = found.json()
        proof = {name: said[name] for name in ("decision_id", "args_digest")}
        acknowledged = self._http.post(f"/api/v1/escalations/{case['id']}/ack", json=proof)
        assert acknowledged.status_code == 200, acknowledged.text
        return said

    def report(self, case, said, *steps, status="executed"):
        """Report what was really done."""
        told = {
            "report_id": uuid.uuid4().hex,
            "decision_id": said["decision_id"],
            "args_digest": said["args_digest"],
            "status": status,
            "steps": [{"id": step, "status": "succeeded", "result": result} for step, result in steps],
        }
        answer = self._http.post(f"/api/v1/escalations/{case['id']}/outcome", json=told)
        assert answer.status_code == 200, answer.text

    def close(self):
        self._http.close()
