"""Import of another system's list: previewed, then imported, in Settings."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE

#: The files of a OneRoster 1.2 bundle: a guide and two children in one room. `{email}` is the guide's.
BUNDLE = {
    "manifest.csv": "propertyName,value\nmanifest.version,1.0\noneroster.version,1.2\nfile.academicSessions,bulk\n"
                    "file.classes,bulk\nfile.courses,bulk\nfile.demographics,absent\nfile.enrollments,bulk\n"
                    "file.orgs,bulk\nfile.roles,bulk\nfile.users,bulk\nsource.systemName,Maple SIS\n",
    "orgs.csv": "sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId\n"
                "school-1,,,École des Érables,school,QC-1,\n",
    "academicSessions.csv": "sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear\n"
                            "year-1,,,2026-2027,schoolYear,2026-08-24,2027-06-30,,2027\n",
    "courses.csv": "sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,"
                   "subjectCodes\ncourse-1,,,year-1,Casa,M0,,school-1,Montessori,\n",
    "classes.csv": "sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,"
                   "schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods\n"
                   "class-1,,,Casa Érable,,course-1,M1,homeroom,,school-1,year-1,Montessori,,\n",
    "users.csv": "sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,"
                 "email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,"
                 "preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns\n"
                 "guide-1,,,true,guide,,Xi,Côté,,,{email},,,,,,,,,,school-1,\n"
                 "child-1,,,true,child1,,大翔,Sato,,,,,,,,,,,,,school-1,\n"
                 "child-2,,,true,child2,,Noor,Al-Farsi,,,,,,,,,,,,,school-1,\n",
    "roles.csv": "sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,"
                 "userProfileSourcedId\nr1,,,guide-1,primary,teacher,,,school-1,\n"
                 "r2,,,child-1,primary,student,,,school-1,\nr3,,,child-2,primary,student,,,school-1,\n",
    "enrollments.csv": "sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,"
                       "beginDate,endDate\ne1,,,class-1,school-1,guide-1,teacher,true,,\n"
                       "e2,,,class-1,school-1,child-1,student,false,,\ne3,,,class-1,school-1,child-2,student,false,,\n",
}


def files(email):
    return [
        {"name": name, "mimeType": "text/csv", "buffer": text.replace("{email}", email).encode()}
        for name, text in BUNDLE.items()]


def test_a_bundle_is_checked_corrected_and_imported(visit, school):
    guide = visit(school.owner, "/settings", size=PHONE)
    guide.expects("422")
    guide.page.locator(".pt-sidebar").get_by_role("link", name="Import").click()
    rooms = len(school.owner.get("/api/v1/classrooms")["items"])
    guide.page.locator("input[type=file]").set_input_files(files("no address"))
    guide.button("Check files").click()
    expect(guide.page.get_by_text("is not an email address")).to_be_visible()
    expect(guide.button("Import")).to_have_count(0)
    guide.page.locator("input[type=file]").set_input_files(files("xi@maple.example"))
    guide.page.get_by_role("button", name="Check").first.click()
    expect(guide.page.get_by_text("大翔 Sato").first).to_be_visible()
    assert len(school.owner.get("/api/v1/classrooms")["items"]) == rooms, "nothing is written before the import"
    guide.page.get_by_role("button", name="Import").first.click()
    expect(guide.toast("import")).to_be_visible()
    guide.open("/classrooms")
    expect(guide.row("Casa Érable")).to_contain_text("2 students")
    guide.open("/search?q=大翔")
    expect(guide.row("大翔 Sato")).to_be_visible()
    guide.open("/search?q=al-farsi")
    expect(guide.row("Noor Al-Farsi")).to_be_visible()


#: A class list as a spreadsheet exports it, by language: the file and the texts of the pages.
LISTS = {
    "en": ("First name,Last name,Email,Role,Classroom\nXi,Moreau,xi@maple.example,teacher,Casa Cedar\n"
           "大翔,Sato,,student,Casa Cedar\nNoor,Al-Farsi,,student,Casa Cedar\n").encode(),
    "fr": ("Prénom;Nom;Courriel;Rôle;Classe\r\nXi;Moreau;xi@maple.example;enseignante;Casa Érable\r\n"
           "Zoë;Côté;;élève;Casa Érable\r\nNoor;Al-Farsi;;élève;Casa Érable\r\n").encode("cp1252"),
}
TEXTS = {
    "en": {"check": "Check files", "import": "Import", "done": "Import complete",
           "past": "Past imports", "undo": "Undo", "act": "Undo import", "undone": "Import undone",
           "room": "Casa Cedar", "students": "2 students"},
    "fr": {"check": "Vérifier les fichiers", "import": "Importer",
           "done": "Import terminé", "past": "Imports passés", "undo": "Annuler",
           "act": "Annuler l’import", "undone": "Import annulé",
           "room": "Casa Érable", "students": "2 élèves"},
}


@pytest.mark.requirement("BY-1.14.b", "BY-1.14.e")
@pytest.mark.parametrize("language,size", [("en", PHONE), ("fr", DESKTOP)], ids=["en-phone", "fr-desktop"])
def test_a_list_is_previewed_imported_and_undone(visit, school, language, size):
    school.owner.post("/api/v1/preferences/display", {"language": language})
    say = TEXTS[language]
    guide = visit(school.owner, "/settings/import", size=size)
    guide.page.locator("input[type=file]").set_input_files(
        {"name": "classe.csv", "mimeType": "text/csv", "buffer": LISTS[language]})
    guide.button(say["check"]).click()
    expect(guide.page.get_by_text("Xi Moreau").first).to_be_visible()
    expect(guide.page.get_by_text("classe.csv:2").first).to_be_visible()
    if language == "fr":
        expect(guide.page.get_by_text("Windows-1252").first).to_be_visible()
    assert "Xi" not in str(school.owner.get("/api/v1/search?q=Moreau")), "nothing is written before the import"
    guide.button(say["import"], exact=True).click()
    expect(guide.toast(say["done"])).to_be_visible()
    expect(guide.heading(say["past"])).to_be_visible()
    guide.open("/classrooms")
    expect(guide.row(say["room"])).to_contain_text(say["students"])

    guide.open("/settings/imports")
    guide.page.locator("#main").get_by_role("link", name=say["undo"]).click()
    expect(guide.page.get_by_text("Noor Al-Farsi").first).to_be_visible()
    guide.button(say["act"]).click()
    expect(guide.toast(say["undone"])).to_be_visible()
    expect(guide.heading(say["past"])).to_be_visible()
    expect(guide.button(say["act"])).to_have_count(0)
    guide.open("/classrooms")
    expect(guide.page.get_by_text(say["room"])).to_have_count(0)


def test_a_file_of_fifty_megabytes_gets_its_message(visit, school, tmp_path):
    large = tmp_path / "people.csv"
    with large.open("w") as file:
        file.write("First name,Last name\n")
        for number in range(50):
            file.write(f"Ana {number},Tremblay\n" + " " * (1 << 20) + "\n")
    guide = visit(school.owner, "/settings/import", size=PHONE)
    guide.expects("413")
    guide.page.locator("input[type=file]").set_input_files(large)
    guide.button("Check files").click()
    expect(guide.page.get_by_text("too large for the server").first).to_be_visible()
