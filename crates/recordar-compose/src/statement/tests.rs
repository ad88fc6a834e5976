use super::*;
use Relation::{Agrees, Apart, Contradicts, Unsure};
use recordar_domain::text::Language;

/// How two sentences stand to each other, in either order.
#[track_caller]
fn check_in(language: &str, one: &str, other: &str, expected: Relation) {
    let mut reader = Reader::new(Language::parse(language).unwrap());
    let (first, second) = (statements(one, &mut reader), statements(other, &mut reader));
    assert_eq!(first[0].relation(&second[0]), expected, "{one} {other}");
    assert_eq!(second[0].relation(&first[0]), expected, "{other} {one}");
    assert_eq!(first[0].contradicts(&second[0]), expected == Contradicts);
}

#[track_caller]
fn check(one: &str, other: &str, expected: Relation) {
    check_in("english", one, other, expected);
}

#[test]
fn i42_conflicts_are_other_values_of_the_same() {
    check("The pump pressure is 3 bar.", "The pump pressure is 4 bar.", Contradicts);
    check("The pump pressure is 3 bar.", "The pump pressure is 300 kPa.", Agrees);
    check("The hike takes 90 minutes.", "The hike takes two hours.", Contradicts);
    check("The hike takes 90 minutes.", "The hike takes one and a half hours.", Agrees);
    check("The bakery employs seven people.", "The bakery employs 9 people.", Contradicts);
    check("The ferry leaves at 7:40.", "The ferry leaves at 8:10.", Contradicts);
    check("The ferry leaves at 19:40.", "The ferry leaves at 7:40 pm.", Agrees);
    check("The deadline is 14 March.", "The deadline is 21 March.", Contradicts);
    check("The ferry leaves at 7:40.", "The ferry costs 12 euros.", Agrees);
    check("The pump has 3 valves.", "Lunch costs 4 euros.", Apart);
}

#[test]
fn i42_conflicts_are_not_between_numbers_that_name() {
    check("Room 12 has 20 seats.", "Room 14 has 30 seats.", Apart);
    check("Version 3.1 needs 2 GB of memory.", "Version 3.2 needs 4 GB of memory.", Apart);
    check("The meeting on 14 March is in the hall.", "The meeting on 21 March is in the library.", Apart);
    check("The course is held in room 3.", "The course is held in room 8.", Contradicts);
    check("In May 210 parcels were delivered.", "In June 180 parcels were delivered.", Apart);
}

#[test]
fn i42_conflicts_compare_bounds_as_bounds() {
    check("The lift carries at least 6 people.", "The lift carries 8 people.", Agrees);
    check("The lift carries no more than 6 people.", "The lift carries 8 people.", Contradicts);
    check("Each group may have up to 15 pupils.", "Each group may have up to 20 pupils.", Contradicts);
    check("The shop is open from 8 to 16.", "The shop is open from 9 to 18.", Contradicts);
    check("The pharmacy closes at 18:30.", "The pharmacy is open until 8 pm.", Contradicts);
}

#[test]
fn i42_conflicts_need_the_same_subject() {
    check("The old tank holds 300 litres.", "The new tank holds 500 litres.", Apart);
    check("The left valve is open.", "The right valve is closed.", Apart);
    check("Petra has a key to the archive.", "Lukas has no key to the archive.", Apart);
    check("The train to Lund leaves at 8:15.", "The train to Ystad leaves at 9:15.", Apart);
    check("This takes 3 minutes.", "This takes 4 minutes.", Apart);
}

#[test]
fn i42_conflicts_are_denials_of_what_is_said() {
    check("The release is frozen.", "The release is not frozen.", Contradicts);
    check("The pump runs at 3 bar.", "The pump does not run at 3 bar.", Contradicts);
    check("The pump runs at 4 bar.", "The pump does not run at 3 bar.", Apart);
    check("The shop is not closed.", "The shop is open.", Agrees);
    check("The door is locked.", "The door is unlocked.", Contradicts);
    check("The course starts before Easter.", "The course starts after Easter.", Contradicts);
    check("Not all rooms have a balcony.", "Room 5 has a balcony.", Agrees);
    check("All rooms have a balcony.", "Room 5 has no balcony.", Contradicts);
    check("The turbine does not run at night.", "The turbine runs.", Unsure);
}

#[test]
fn i42_conflicts_are_changes_of_plans() {
    check("The pump runs at 3 bar.", "We raised the pump to 4 bar.", Contradicts);
    check("The picnic is on Sunday.", "The picnic was moved to Saturday.", Contradicts);
    check("The picnic is on Saturday.", "The picnic was moved to Saturday.", Agrees);
    check("The workshop takes place on 9 April.", "The workshop has been cancelled.", Contradicts);
    check("The backups are stored on tape.", "The backups were moved from tape to disk.", Contradicts);
    check("The wall will be painted blue.", "The wall will be painted yellow instead of blue.", Contradicts);
    check("Hanna is the editor of the paper.", "Milan replaced Hanna as editor of the paper.", Contradicts);
}

#[test]
fn i42_conflicts_are_other_names_in_a_place_for_one() {
    check("The keeper is Ada.", "The keeper is Ben.", Contradicts);
    check("The keeper is Ada.", "Ben is the keeper.", Contradicts);
    check("Ines visited Porto.", "Ines visited Braga.", Unsure);
    check("The toolbox contains only a hammer.", "The toolbox contains a saw.", Contradicts);
    check("The toolbox contains a hammer.", "The toolbox contains a saw.", Unsure);
}

#[test]
fn i42_conflicts_in_other_languages_are_other_numbers_only() {
    check_in("german", "Die Pumpe läuft mit 3 bar Druck.", "Die Pumpe läuft mit 4 bar Druck.", Contradicts);
    check_in("german", "Raum 12 hat 20 Plätze im Saal.", "Raum 14 hat 30 Plätze im Saal.", Unsure);
    check_in("german", "Die Pumpe läuft nachts.", "Der Hund läuft nachts.", Apart);
}
