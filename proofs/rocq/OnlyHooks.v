(** * Only hooks have the largest Rand distance

    A hook is a table whose positive cells lie in one row and one column.  For r, s >= 2, not both 2, and
    n >= r+s-1, every table with the largest F2 (hence with the largest Rand distance) is a hook.

    By induction on n along the proof of [F_le_largest], r <= s.  Its step takes an object out of a cell u
    of x; if F2 x is the largest value for n+1, then y = x - u has the largest value for n, and the degree D
    of u in y is the largest degree in y, for an object more in a cell of larger degree would lift F2 above the
    largest value for n+1.
      n = r+s-2: the step has D >= r+s-2, so u sees all the n objects of y: x is a hook around u.
      n >= r+s-1: y is a hook by induction.  If u were not on its cross, u would see the y_ij' of one cell of
        the arm and one of the leg; the corner sees these, and the other r+s-4 > 0 lines of the cross too. *)

From mathcomp Require Import all_ssreflect zify.
From Confmat Require Import Arithmetic Tables MaxRandDistance.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Definition hook_around r s (x : table r s) i0 j0 : Prop := forall i j, i != i0 -> j != j0 -> x i j = 0.
Definition is_hook r s (x : table r s) : Prop := exists i0 j0, hook_around x i0 j0.

Lemma is_hook_transpose r s (x : table r s) : is_hook (transpose x) -> is_hook x.
Proof. by case=> j0 [i0 h]; exists i0, j0 => i j ii jj; apply: h. Qed.

(* ------------------------------------------------------------------ *)
(** ** One object more *)

Section Add.
Variables (r s : nat) (y : table r s) (i0 : 'I_r) (j0 : 'I_s).

Definition add : table r s := fun i j => y i j + ((i == i0) && (j == j0)).

Lemma add_positive : 0 < add i0 j0.
Proof. by rewrite /add !eqxx addn1. Qed.

Lemma remove_add i j : remove add i0 j0 i j = y i j.
Proof. by rewrite /remove /add addnK. Qed.

Lemma add_row i : row_sum add i = row_sum y i + (i == i0).
Proof. by rewrite (remove_row add_positive); congr (_ + _); apply: eq_bigr => j _; apply: remove_add. Qed.

Lemma add_col j : col_sum add j = col_sum y j + (j == j0).
Proof. by rewrite (remove_col add_positive); congr (_ + _); apply: eq_bigr => i _; apply: remove_add. Qed.

Lemma add_in_class n : in_class n y -> in_class n.+1 add.
Proof.
case=> t R C; split=> [|i|j]; [|by rewrite add_row ltn_addr|by rewrite add_col ltn_addr].
rewrite (remove_total add_positive) -t addn1; congr _.+1.
by apply: eq_bigr => i _; apply: eq_bigr => j _; apply: remove_add.
Qed.

Lemma add_F : F2 add = F2 y + 2 * degree y (i0, j0).
Proof.
have := remove_F add_positive; have := degree_margins y (i0, j0).
rewrite (eq_F remove_add) add_row add_col /add !eqxx /=.
by move: (F2 _) (F2 y) (degree _ _) => f g d; lia.
Qed.
End Add.

Lemma add_remove r s (x : table r s) i0 j0 : 0 < x i0 j0 ->
  forall i j, x i j = add (remove x i0 j0) i0 j0 i j.
Proof. by move=> xp i j; rewrite /add -remove_entry. Qed.

(* ------------------------------------------------------------------ *)
(** ** A cell that sees every object; a cell off the cross of a hook *)

Lemma sees_all_hook r s (y : table r s) i0 j0 : total y <= degree y (i0, j0) -> hook_around y i0 j0.
Proof.
move=> sees i j ii jj; suff: degree y (i0, j0) + y i j <= total y by lia.
rewrite total_pair /degree (bigD1 (i, j)) //= [X in _ <= X](bigD1 (i, j)) //=.
have -> : adjacent (i0, j0) (i, j) = false.
  by rewrite /adjacent /= [i0 == i]eq_sym [j0 == j]eq_sym (negbTE ii) (negbTE jj).
rewrite mul0n add0n addnC leq_add2l.
by apply: leq_sum => v _; case: (adjacent _ _); rewrite ?mul1n.
Qed.

(* of m numbers all but one are positive: two of them, and one for each of the others *)
Lemma two_terms_le m (f : 'I_m -> nat) (p q : 'I_m) : q != p -> (forall k, k != p -> 0 < f k) ->
  f p + f q + (m - 2) <= \sum_k f k.
Proof.
move=> qp pos; rewrite (bigD1 p) //= -addnA leq_add2l (bigD1 q) //= leq_add2l.
have -> : m - 2 = \sum_(k < m | (k != p) && (k != q)) 1.
  have := sum_ones m; rewrite (bigD1 p) //= (bigD1 q) //=; set others := \sum_(_ < m | _) 1 => sumE.
  by rewrite -sumE addnA; exact: addKn.
by apply: leq_sum => k /andP [kp _]; apply: pos.
Qed.

Lemma inner_degree_lt n r s (y : table r s) i0 j0 i j : 4 < r + s -> in_class n y -> hook_around y i0 j0 ->
  i != i0 -> j != j0 -> degree y (i, j) < degree y (i0, j0).
Proof.
move=> rs [_ R C] h ii jj.
have rowE k : k != i0 -> row_sum y k = y k j0.
  by move=> kk; rewrite /row_sum (bigD1 j0) //= big1 ?addn0 // => l ll; apply: h.
have colE l : l != j0 -> col_sum y l = y i0 l.
  by move=> ll; rewrite /col_sum (bigD1 i0) //= big1 ?addn0 // => k kk; apply: h.
have arm : y i0 j0 + y i0 j + (s - 2) <= row_sum y i0.
  by apply: (two_terms_le jj) => l ll; rewrite -colE.
have leg : y i0 j0 + y i j0 + (r - 2) <= col_sum y j0.
  by apply: (two_terms_le (f := y^~ j0) ii) => k kk; rewrite -rowE.
have := degree_margins y (i, j); have := degree_margins y (i0, j0).
rewrite /= (rowE i) // (colE j) // (h i j) //.
by move: (degree _ _) (degree _ _) arm leg => d e; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The theorem *)

Theorem largest_F_only_hooks n r s (x : table r s) :
  1 < r <= s -> 2 < s -> r + s - 1 <= n -> in_class n x -> F2 x = largest_F n r s -> is_hook x.
Proof.
case: r s x => [|a] [|b] x // /andP [a0 ab] b1 nb; rewrite !ltnS in a0 ab b1.
have {}nb : a + b < n by lia.
elim: n x nb => // n IH x nb xM Fx; rewrite ltnS in nb.
have [|D [abD step small]] := largest_F_step ab nb; first by left.
have [i [j [Rij dij]]] := small x xM; have /and3P [xp _ _] := Rij.
pose y := remove x i j; have yM : in_class n y by apply: remove_in_class.
have xE := add_remove xp; rewrite -/y in xE.
have Fy : F2 y <= largest_F n a.+1 b.+1 by apply: F_le_largest => //; lia.
have FxE := add_F y i j; rewrite -(eq_F xE) Fx step in FxE.
have dy : degree y (i, j) <= D.
  have := degree_margins y (i, j); move: dij; rewrite !(remove_row xp, remove_col xp) -/y (xE i j) /add !eqxx /=.
  by move: (degree _ _) => d; lia.
have {}FxE : F2 y = largest_F n a.+1 b.+1 /\ degree y (i, j) = D.
  by move: (F2 y) (degree _ _) (largest_F _ _ _) Fy FxE dy => f d m; lia.
case: FxE => {}Fy {}dy.
have most k l : degree y (k, l) <= D.
  have := F_le_largest (x := add y k l) _ _ (add_in_class k l yM); rewrite add_F step Fy.
  by move: (degree _ _) (largest_F _ _ _) => d m; lia.
have onto_x k l : hook_around y k l -> (i == k) || (j == l) -> is_hook x.
  move=> h on; exists k, l => i' j' ii jj; rewrite xE /add h // add0n.
  by case/orP: on => /eqP ->; rewrite ?(negbTE ii) ?(negbTE jj) ?andbF.
case: (leqP n (a + b)) => small_n.
  apply: (onto_x i j); rewrite ?eqxx //; apply: sees_all_hook; case: yM => -> _ _; lia.
have [k [l h]] := IH y small_n yM Fy.
case: (boolP ((i == k) || (j == l))) => [on|]; first exact: onto_x h on.
rewrite negb_or => /andP [ik jl].
have lt : degree y (i, j) < degree y (k, l) by apply: inner_degree_lt yM h ik jl; lia.
by rewrite dy ltnNge most in lt.
Qed.

(* with r and s in any order, and for the Rand distance *)
From mathcomp Require Import all_algebra.

Theorem largest_RD_only_hooks n r s (x : table r s) :
  1 < r -> 1 < s -> 4 < r + s -> r + s - 1 <= n -> in_class n x ->
  (forall y : table r s, in_class n y -> RD y <= RD x)%R -> is_hook x.
Proof.
move=> r1 s1 rs nb xM most.
have {}most (y : table r s) : in_class n y -> F2 y <= F2 x.
  move=> yM; have := most y yM; rewrite !RD_F /all_pairs; case: xM yM => -> _ _ [-> _ _].
  by rewrite ratio_le ?leq_pmul2r // muln_gt0 bin_gt0; lia.
case: (leqP r s) => r_s.
  have [||_ [y yM yF]] := @largest_F_is_max n r s; [lia | lia |].
  apply: (largest_F_only_hooks _ _ nb xM); [lia | lia |].
  by apply/eqP; rewrite eqn_leq -{2}yF most // F_le_largest //; lia.
apply: is_hook_transpose; have xM' := in_class_transpose xM.
have [||_ [y yM yF]] := @largest_F_is_max n s r; [lia | lia |].
apply: (largest_F_only_hooks _ _ _ xM'); [lia | lia | lia |].
apply/eqP; rewrite eqn_leq F_le_largest //=; [|lia|lia].
by rewrite F_transpose -yF -(F_transpose y) most //; apply: in_class_transpose.
Qed.
