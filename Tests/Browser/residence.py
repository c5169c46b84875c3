"""A residence for browser tests: a warden, rooms, residents with accounts, and the parent of one."""

from dataclasses import dataclass
from datetime import date, timedelta

from school import Person, School


@dataclass
class Residence:
    school: School
    warden: Person
    residents: dict[str, Person]
    ids: dict[str, str]
    id: str

    @property
    def path(self) -> str:
        return f"/residences/{self.id}"

    def post(self, path: str, body: dict, person: Person | None = None) -> dict:
        return (person or self.warden).post(f"/api/v1{path}", body)

    def roll_call(self) -> dict:
        return self.warden.get(f"/api/v1{self.path}/roll-call")

    def parent(self, name: str, child: str) -> Person:
        """A parent of a resident: she asks, and the school agrees."""
        parent = self.school.colleague(name, "parent")
        parent.post("/api/v1/families/requests", {"child": self.residents[child].email})
        wish = self.school.owner.get("/api/v1/families/requests")["items"][0]
        self.school.owner.post(
            f"/api/v1/families/requests/{wish['id']}/answer", {"childId": self.ids[child], "agrees": True})
        return parent


def person_id(person: Person) -> str:
    return person.get("/api/v1/auth/me")["profileId"].lower()


def found_residence(server, rooms: dict[str, list[str]] | None = None) -> Residence:
    """Founds a school with a residence; `rooms` maps the numbers of rooms to lists of residents' names."""
    school = server.found_school()
    warden = school.colleague("Ines Costa", "warden")
    residence = school.owner.post("/api/v1/residences", {
        "name": "Birch House", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00", "wardenIds": [person_id(warden)]})
    made = Residence(school, warden, {}, {}, residence["id"].lower())
    for number, names in (rooms or {"101": ["Amina Diallo", "Yuki Tanaka"], "102": ["Luca Ferrari"]}).items():
        room = made.post(f"{made.path}/rooms", {"number": number, "type": "Twin", "bedCount": len(names)})
        for name in names:
            resident = made.residents[name] = school.colleague(name, "student")
            made.ids[name] = person_id(resident)
            # Between midnight and 05:30 it is still the evening before.
            made.post(f"{made.path}/students", {
                "studentId": made.ids[name], "roomId": room["id"], "phone": "+33 6 12 34 56 78",
                "firstDay": (date.today() - timedelta(days=7)).isoformat()})
    return made
